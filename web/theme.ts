import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const ink: MantineColorsTuple = [
  '#f0f1fc',
  '#dfe1f7',
  '#c0c4f0',
  '#a0a6e8',
  '#858ce0',
  '#6f77d9',
  '#5a62cc',
  '#4b52bb',
  '#3d43a5',
  '#2d327f',
]

/** The kit's greys with a touch of ink, so that dark surfaces and dark controls belong together. */
const dark: MantineColorsTuple = [
  '#d6d8e2',
  '#b6b9c8',
  '#9094a8',
  '#6a6e82',
  '#454957',
  '#393c49',
  '#2a2d38',
  '#1e2028',
  '#16171d',
  '#101116',
]

const FONT =
  "'Inter Variable', Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

/**
 * Shade 8 carries white text at 4.5:1 and more in both schemes; the kit's own defaults do not. `close` names the button
 * of dialogs.
 */
export const themeWith = (close: string) =>
  createTheme({
    colors: { ink, dark },
    primaryColor: 'ink',
    primaryShade: { light: 8, dark: 8 },
    autoContrast: true,
    luminanceThreshold: 0.32,
    defaultRadius: 'md',
    fontFamily: FONT,
    headings: { fontFamily: FONT, fontWeight: '680' },
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      Alert: { defaultProps: { radius: 'md' } },
      Badge: { styles: { label: { textTransform: 'none', fontWeight: 600 } } },
      Button: { styles: { label: { fontWeight: 600 } } },
      Drawer: { defaultProps: { closeButtonProps: { 'aria-label': close } } },
      // The placeholder is an element that a menu must not hold; without it the first entry has the focus.
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
      Modal: {
        defaultProps: { closeButtonProps: { 'aria-label': close }, centered: true },
        styles: { title: { fontSize: 18, fontWeight: 680, letterSpacing: '-0.015em' } },
      },
    },
  })

/** Colours of our own, by name, and the kit's colours that miss WCAG AA contrast. */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-orange-light-color': '#9a3a06',
    '--mantine-color-red-light-color': '#b02020',
    '--mantine-color-green-light-color': '#1c6a2f',
    '--mantine-color-yellow-light-color': '#8a4b00',
    '--mantine-color-ink-light': colors.ink?.[0] ?? '',
    '--mantine-color-ink-light-hover': colors.ink?.[1] ?? '',
    '--mantine-color-body': '#fbfbfd',
    '--meno-surface': '#ffffff',
    '--meno-sunken': '#f3f4f8',
    '--meno-line': '#e3e5ee',
    '--meno-bubble': '#e6e8fa',
    '--meno-accent': '#3d43a5',
    '--meno-gold': '#f2b632',
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-body': '#16171d',
    '--meno-surface': '#1e2028',
    '--meno-sunken': '#121318',
    '--meno-line': '#333642',
    '--meno-bubble': '#2f3462',
    '--meno-accent': '#a0a6e8',
    '--meno-gold': '#ffc94d',
  },
})
