import { Fragment } from 'react'

/** A text of the API description: what stands between backticks is shown as code. */
export function InlineCodeText({ text }: { text: string }) {
  // Every second piece stands between two backticks. A lone backtick stays as it is.
  const pieces = text.split(/`([^`]+)`/)
  return pieces.map((piece, index) => {
    const key = `${index}${piece}`
    return index % 2 === 1 ? <code key={key}>{piece}</code> : <Fragment key={key}>{piece}</Fragment>
  })
}
