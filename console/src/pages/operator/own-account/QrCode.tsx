import { encode } from 'uqr'

/** A text as a QR code. It is dark on white in both themes, because many scanners read no other. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const modules = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return (
    <svg
      aria-label={label}
      height="220"
      role="img"
      shapeRendering="crispEdges"
      viewBox={`0 0 ${size} ${size}`}
      width="220"
    >
      <rect fill="#fff" height={size} width={size} />
      <path d={modules.join('')} fill="#000" />
    </svg>
  )
}
