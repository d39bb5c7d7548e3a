/** A span of the folded text. */
export interface TextSpan {
  from: number
  to: number
}

/** A text to search for links, with a map of its offsets to the folded text. */
export interface View {
  text: string
  placeOf(from: number, to: number): TextSpan
}
