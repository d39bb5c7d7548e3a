/** Icons in one stroke width. They repeat the text beside them, so screen readers skip them. */
const paths = {
  apps: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  key: 'M14.5 9.5a4.5 4.5 0 1 0-3.800 4.450L13 16h2v2h2v2h4v-3.5l-6.200-5.600a4.5 4.5 0 0 0-.3-1.400zM9 8.5h.01',
  send: 'M4 12h14M13 6l6 6-6 6',
  book: 'M5 4h10a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h10',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4 12H2M22 12h-2M5 5l1.5 1.5M17.5 17.5L19 19M19 5l-1.5 1.5M6.5 17.5L5 19',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  leave: 'M14 4h5v16h-5M4 12h11M8 8l-4 4 4 4',
  plus: 'M12 5v14M5 12h14',
  retry: 'M20 12a8 8 0 1 1-2.5-5.800M20 4v4h-4',
  pause: 'M9 5v14M15 5v14',
  play: 'M7 5l12 7-12 7z',
  chart: 'M4 20V4M4 20h16M8 16v-5M13 16V8M18 16v-3',
  orders: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  messages: 'M4 5h16v11H9l-5 4z',
  tree: 'M12 4v5M6 15v-3h12v3M12 9v3M4 15h4v5H4zM16 15h4v5h-4zM10 15h4v5h-4z',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20a6 6 0 0 1 12 0M16 4.5a3.5 3.5 0 0 1 0 6.5M17.5 14.5A6 6 0 0 1 21 20',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2',
  flag: 'M6 21V4M6 5h12l-2.500 4L18 13H6',
  lock: 'M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  file: 'M7 3h7l4 4v14H7zM14 3v4h4',
  back: 'M19 12H5M11 6l-6 6 6 6',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      fill="none"
      height={size}
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth={1.75}
      viewBox="0 0 24 24"
      width={size}
    >
      <path d={paths[name]} />
    </svg>
  )
}
