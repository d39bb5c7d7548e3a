/**
 * Who acts as the operator: the bearer of the operator's token, an account or API key of an operator, or the program
 * itself on the operator's behalf.
 */
export type OperatorActor =
  | { readonly kind: 'token' }
  | { readonly kind: 'account'; readonly id: number; readonly name: string }
  | { readonly kind: 'key'; readonly id: number; readonly name: string }
  | { readonly kind: 'system'; readonly name: string }
