import fc from 'fast-check'

/** Any code point, half surrogate pairs too. fast-check's own unit `binary` takes 1.4 s of a processor to prepare, once
 * a process. With the way back, fast-check also tries names such as `toString`. */
export const anyCodePoint = fc.nat({ max: 0x10ffff }).map(
  (code) => String.fromCodePoint(code),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (code === undefined || String.fromCodePoint(code) !== text)
      throw new Error('not one code point')
    return code
  },
)
