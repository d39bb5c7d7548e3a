/** The parts of Postman's SDK that tests use. Its own declarations are not where TypeScript looks for them. */
declare module 'postman-collection' {
  export interface Auth {
    type: string
    parameters(): { get(key: string): string | undefined }
  }
  export interface Item {
    name: string
    request: {
      method: string
      auth: Auth | undefined
      url: { getPath(options: { unresolved: boolean }): string; toString(): string }
      getHeaders(options: { enabled: boolean }): Record<string, string>
    }
    /** The auth of the request, or of the folder or collection that it lies in. */
    getAuth(): Auth | undefined
  }
  export class Collection {
    constructor(definition: object)
    variables: { replace(text: string): string }
    forEachItem(visit: (item: Item) => void): void
  }
  const sdk: { Collection: typeof Collection }
  export default sdk
}
