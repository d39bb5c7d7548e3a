/** Renders the picture of a category: its initial on a color that depends on its id. */
export function pictureOf({ id, name }: { id: string; name: string }): string {
  const hue = (Number(id.slice(3)) * 137) % 360
  const initial = [...name][0] ?? ''
  const letter = /[\p{L}\p{N}]/u.test(initial) ? initial.toUpperCase() : ''
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img">` +
    `<rect width="96" height="96" rx="12" fill="hsl(${hue} 45% 88%)"/>` +
    `<text x="48" y="64" font-family="sans-serif" font-size="48" text-anchor="middle" ` +
    `fill="hsl(${hue} 45% 30%)">${letter}</text></svg>`
  )
}
