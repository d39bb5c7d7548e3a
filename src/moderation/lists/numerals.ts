/** Numerals in Spanish and Portuguese. `meia` is six in Portuguese telephone numbers. */
const ones = `
cero 0 zero 0 uno 1 un 1 um 1 una 1 uma 1 dos 2 dois 2 duas 2 tres 3 cuatro 4 quatro 4 cinco 5 seis 6
meia 6 siete 7 sete 7 ocho 8 oito 8 nueve 9 nove 9`
const teens = `
diez 10 dez 10 once 11 onze 11 doce 12 doze 12 trece 13 treze 13 catorce 14 catorze 14 quatorze 14
quince 15 quinze 15 dieciseis 16 dezesseis 16 diecisiete 17 dezessete 17 dieciocho 18 dezoito 18
diecinueve 19 dezenove 19 veintiuno 21 veintidos 22 veintitres 23 veinticuatro 24 veinticinco 25
veintiseis 26 veintisiete 27 veintiocho 28 veintinueve 29`
const tens = `
veinte 20 vinte 20 treinta 30 trinta 30 cuarenta 40 quarenta 40 cincuenta 50 cinquenta 50 sesenta 60
sessenta 60 setenta 70 ochenta 80 oitenta 80 noventa 90`

function table(text: string): ReadonlyMap<string, string> {
  const pairs = text.trim().match(/\S+ \d+/g) ?? []
  return new Map(pairs.map((pair) => pair.split(' ') as [string, string]))
}

export const numerals = { ones: table(ones), teens: table(teens), tens: table(tens) }
