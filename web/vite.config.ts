import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const API = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react()],
  build: { target: 'es2022', chunkSizeWarningLimit: 750, reportCompressedSize: true },
  server: { port: 5173, proxy: { '/api': API, '/webhook': API } },
})
