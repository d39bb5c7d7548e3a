/** Replaces a text of an erased user where a text is required. */
export const erasedText = '[erased]'
