/** Returns the edit distance of two words: deletions, insertions, substitutions and swaps of neighbors. Distances above
 * `max` are returned as `max + 1`. */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let rowBeforeLast: number[] = []
  let lastRow = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const currentRow = [row]
    let rowMinimum = row
    for (let at = 1; at <= b.length; at++) {
      const isSame = a[row - 1] === b[at - 1]
      let cost = Math.min(
        (lastRow[at] as number) + 1,
        (currentRow[at - 1] as number) + 1,
        (lastRow[at - 1] as number) + (isSame ? 0 : 1),
      )
      if (row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1]) {
        cost = Math.min(cost, (rowBeforeLast[at - 2] as number) + 1)
      }
      currentRow.push(cost)
      if (cost < rowMinimum) rowMinimum = cost
    }
    if (rowMinimum > max) return max + 1
    rowBeforeLast = lastRow
    lastRow = currentRow
  }
  return Math.min(lastRow[b.length] as number, max + 1)
}

/** Returns a mask of the letters in a word, one bit each. Similar words have similar masks. */
export function letterMask(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

/** Returns the number of set bits. */
export function countBits(number: number): number {
  let bits = number - ((number >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
