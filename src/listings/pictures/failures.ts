import { Failure } from '../../kernel/failure.ts'

/** Returns the failure of a picture without an error. */
export function pictureNotFound(id: string): Failure {
  return new Failure('not_found', `Picture errors not found: ${id}`)
}

/** Returns the failure of a picture id that another seller has. */
export function pictureTaken(id: string): Failure {
  return new Failure(
    'id_taken',
    `picture_id: expected a picture of this seller's, ${id} is another's`,
  )
}
