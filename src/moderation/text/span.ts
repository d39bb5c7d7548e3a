/** A span of the folded text. */
export interface TextSpan {
  from: number
  to: number
}

/** A text to search for links, with a map of its offsets to the folded text. */
export interface LinkText {
  text: string
  spanOf(from: number, to: number): TextSpan
}
