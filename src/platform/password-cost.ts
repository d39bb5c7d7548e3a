/** Cost of scrypt; `ln` is the binary logarithm of N. */
export interface PasswordCost {
  readonly ln: number
  readonly r: number
  readonly p: number
}

/** The recommendation of OWASP for scrypt, in the variant with 32 MiB of memory. */
export const recommendedPasswordCost: PasswordCost = { ln: 15, r: 8, p: 3 }
