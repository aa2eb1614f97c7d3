import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const API = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    // light-dark() is left to the browser: compiled away it would not follow the scheme that is set at run time.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 750,
  },
  server: { port: 5173, proxy: { '/api': API, '/webhook': API, '/sessions': API } },
})
