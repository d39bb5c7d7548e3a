/** Questions before a purchase, with their answers. */
export const questionTexts: Readonly<
  Record<'es' | 'pt', readonly (readonly [question: string, answer: string])[]>
> = {
  es: [
    ['Hola, ¿tienen stock para entregar esta semana?', 'Hola, sí, sale en el día.'],
    ['¿Hacen factura a nombre de una empresa?', 'Sí, con los datos que figuren en la compra.'],
    ['¿Qué medidas tiene la caja?', 'Viene en una caja chica, entra en cualquier lado.'],
    ['¿Es nuevo y con garantía?', 'Nuevo, en su caja y con garantía.'],
    ['¿Se puede retirar en persona?', 'Por ahora solo enviamos por correo.'],
    ['Buenas, ¿el color es como el de la foto?', 'Tal cual la foto.'],
    ['¿Si compro dos hacen algún descuento?', 'El precio publicado ya tiene el descuento.'],
    ['¿Llega antes del viernes?', 'La fecha la ve en la publicación al poner su localidad.'],
  ],
  pt: [
    ['Olá, tem em estoque para entregar esta semana?', 'Olá, sim, sai no mesmo dia.'],
    ['Emitem nota fiscal para empresa?', 'Sim, com os dados informados na compra.'],
    ['Quais são as medidas da caixa?', 'Vem em uma caixa pequena, cabe em qualquer lugar.'],
    ['É novo e com garantia?', 'Novo, na caixa e com garantia.'],
    ['Dá para retirar pessoalmente?', 'Por enquanto só enviamos pelo correio.'],
    ['Bom dia, a cor é igual à da foto?', 'Igual à da foto.'],
    ['Levando dois tem desconto?', 'O preço anunciado já está com desconto.'],
    ['Chega antes de sexta?', 'O anúncio mostra a data quando se informa o CEP.'],
  ],
}
