/** A span of the folded text. */
export interface TextSpan {
  from: number
  to: number
}

/** A text to look for links in, tied to the folded text. */
export interface View {
  text: string
  placeOf(from: number, to: number): TextSpan
}
