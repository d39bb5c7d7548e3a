/** Checks of account, card and document numbers by their check digits. */

function remainder(digits: string, weights: readonly number[], modulus: number): number {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0)
  return sum % modulus
}

/** An Argentine bank account (CBU): 22 digits, with a check digit for bank and branch and one for the account. */
export function isCbu(digits: string): boolean {
  if (!/^\d{22}$/.test(digits)) return false
  const check = (part: string, weights: number[]) =>
    (10 - remainder(part, weights, 10)) % 10 === Number(part.at(-1))
  return (
    check(digits.slice(0, 8), [7, 1, 3, 9, 7, 1, 3]) &&
    check(digits.slice(8), [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3])
  )
}

/** A Mexican bank account (CLABE): 18 digits. */
export function isClabe(digits: string): boolean {
  if (!/^\d{18}$/.test(digits)) return false
  const sum = [...digits.slice(0, 17)].reduce(
    (total, digit, index) => total + ((Number(digit) * ([3, 7, 1][index % 3] ?? 0)) % 10),
    0,
  )
  return (10 - (sum % 10)) % 10 === Number(digits[17])
}

/** A payment card: 13 to 19 digits. */
export function isCard(digits: string): boolean {
  if (!/^[3-6]\d{12,18}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (1 + (index % 2))
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** A Brazilian person (CPF): 11 digits. */
export function isCpf(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false
  const check = (length: number) => {
    const weights = Array.from({ length }, (_, index) => length + 1 - index)
    return ((remainder(digits, weights, 11) * 10) % 11) % 10 === Number(digits[length])
  }
  return check(9) && check(10)
}

/** An Argentine taxpayer (CUIT): 11 digits. */
export function isCuit(digits: string): boolean {
  if (!/^(2[0347]|3[034])\d{9}$/.test(digits)) return false
  const check = 11 - remainder(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2], 11)
  return (check === 11 ? 0 : check) === Number(digits[10])
}

/** A Chilean taxpayer (RUT): 7 or 8 digits, and a check digit or k after the hyphen. */
export function isRut(digits: string, check: string): boolean {
  if (!/^\d{7,8}$/.test(digits)) return false
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (2 + (index % 6)), 0)
  const expected = 11 - (sum % 11)
  return check === (expected === 11 ? '0' : expected === 10 ? 'k' : String(expected))
}
