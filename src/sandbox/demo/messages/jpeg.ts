/** Returns a grayscale JPEG with one shade per block of 8 × 8 pixels. Only DC coefficients are written, so no DCT. */
export function encodeJpeg(rows: readonly (readonly number[])[]): Buffer {
  const height = rows.length * 8
  const width = (rows[0]?.length ?? 0) * 8
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    // One quantization table: the DC coefficient is 8 times the shade, so it is divided by 8.
    segment(0xdb, [0, ...Array<number>(64).fill(8)]),
    segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    // Huffman tables. DC: nine codes of four bits. AC: only the end of block, in one bit.
    segment(0xc4, [0x00, 0, 0, 0, 9, ...Array<number>(12).fill(0), 0, 1, 2, 3, 4, 5, 6, 7, 8]),
    segment(0xc4, [0x10, 1, ...Array<number>(15).fill(0), 0]),
    segment(0xda, [1, 1, 0x00, 0, 63, 0]),
    Buffer.from(packBits(bitsOf(rows.flat()))),
    Buffer.from([0xff, 0xd9]),
  ])
}

function segment(marker: number, content: readonly number[]): Buffer {
  const length = content.length + 2
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...content])
}

/** Encodes each shade as the difference from the one before; the first from 128. */
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

/** Packs bits to bytes. Pads with ones, and stuffs a zero byte after 0xff, which would begin a marker. */
function packBits(bits: string): number[] {
  const bytes = bits.match(/.{1,8}/g) ?? []
  return bytes.flatMap((byte) => {
    const value = Number.parseInt(byte.padEnd(8, '1'), 2)
    return value === 255 ? [255, 0] : [value]
  })
}
