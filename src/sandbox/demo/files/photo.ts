/** A grey picture of 8 × 8 pixels a block, as a JPEG: only what is the same all over a block is
 * written, so that none of the standard's arithmetic is needed. */
export function photoOf(rows: readonly (readonly number[])[]): Buffer {
  const height = rows.length * 8
  const width = (rows[0]?.length ?? 0) * 8
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    // One table of quantisation: a block's sum, which is 8 times its shade, is kept as the shade.
    segment(0xdb, [0, ...Array<number>(64).fill(8)]),
    segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    // How many bits a shade has: nine codes of four bits. What else a block has: nothing, in one bit.
    segment(0xc4, [0x00, 0, 0, 0, 9, ...Array<number>(12).fill(0), 0, 1, 2, 3, 4, 5, 6, 7, 8]),
    segment(0xc4, [0x10, 1, ...Array<number>(15).fill(0), 0]),
    segment(0xda, [1, 1, 0x00, 0, 63, 0]),
    Buffer.from(packed(bitsOf(rows.flat()))),
    Buffer.from([0xff, 0xd9]),
  ])
}

function segment(marker: number, content: readonly number[]): Buffer {
  const length = content.length + 2
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...content])
}

/** Each shade as the difference from the one before, the first from the middle. */
function bitsOf(shades: readonly number[]): string {
  let before = 128
  return shades
    .map((shade) => {
      const difference = shade - before
      before = shade
      const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1
      const value = difference < 0 ? difference + 2 ** size - 1 : difference
      return `${binary(size, 4)}${size === 0 ? '' : binary(value, size)}0`
    })
    .join('')
}

const binary = (value: number, bits: number) => value.toString(2).padStart(bits, '0')

/** The last byte is filled with ones; after a byte of ones stands one of zeros, as it is no marker. */
function packed(bits: string): number[] {
  const bytes = bits.match(/.{1,8}/g) ?? []
  return bytes.flatMap((byte) => {
    const value = Number.parseInt(byte.padEnd(8, '1'), 2)
    return value === 255 ? [255, 0] : [value]
  })
}
