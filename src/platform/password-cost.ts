/** Cost of scrypt; `ln` is the binary logarithm of N. */
export interface PasswordCost {
  readonly ln: number
  readonly r: number
  readonly p: number
}

/** OWASP's recommendation for scrypt, in the variant that takes 32 MiB instead of 128. */
export const recommendedPasswordCost: PasswordCost = { ln: 15, r: 8, p: 3 }
