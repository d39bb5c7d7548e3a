/** Many texts in one block of bytes. They take little memory and are decoded one by one, on use. */
export class TextList {
  readonly bytes: Uint8Array
  /** The start of each text in `bytes`. It ends at the next start. */
  readonly starts: Int32Array

  constructor(bytes: Uint8Array, starts: Int32Array) {
    this.bytes = bytes
    this.starts = starts
  }

  static of(texts: readonly string[]): TextList {
    const parts = texts.map((text) => Buffer.from(text))
    const starts = new Int32Array(parts.length + 1)
    for (const [n, { length }] of parts.entries()) starts[n + 1] = (starts[n] as number) + length
    return new TextList(Buffer.concat(parts), starts)
  }

  get length(): number {
    return this.starts.length - 1
  }

  at(index: number): string {
    const { buffer, byteOffset, length } = this.bytes
    return Buffer.from(buffer, byteOffset, length).toString(
      'utf8',
      this.starts[index],
      this.starts[index + 1],
    )
  }
}
