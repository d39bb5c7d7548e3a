import { createTheme, type MantineColorsTuple } from '@mantine/core'

/** Ink: of what one can press. */
const ink: MantineColorsTuple = [
  '#eff1fb',
  '#dce0f4',
  '#b9c1ea',
  '#98a4e1',
  '#8090dc',
  '#5f70cf',
  '#4c5dc0',
  '#3f4fae',
  '#354394',
  '#2b377b',
]

/** Greys with a little warmth in the light and a little blue in the dark. */
const gray: MantineColorsTuple = [
  '#faf9f7',
  '#f4f2ef',
  '#e9e6e1',
  '#d9d5ce',
  '#c3beb5',
  '#9d978c',
  '#6f6a61',
  '#57534b',
  '#3b3832',
  '#23211d',
]
const dark: MantineColorsTuple = [
  '#d6d8e0',
  '#b9bcc8',
  '#a0a4b3',
  '#6b7082',
  '#434858',
  '#343947',
  '#262a35',
  '#1b1e27',
  '#14161d',
  '#0e1015',
]

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  colors: { ink, gray, dark },
  defaultRadius: 'md',
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650', textWrap: 'balance' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { radius: 'md' } },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    },
    Table: { defaultProps: { verticalSpacing: 'sm' } },
  },
})
