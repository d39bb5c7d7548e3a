/**
 * Words that tell the kind of the number after them. The nearest one counts; linking words (es, número, de) are
 * skipped.
 */
export const numberCues = {
  /** An order, a parcel, an invoice or a product. */
  code: `
    pedido* orden ordem compra venta venda seguimiento rastreo rastreio rastreamento tracking guia guias
    codigo* cod serie serial sn imei* ean upc gtin dun sku ncm oem lote modelo mod referencia ref parte
    pieza peca articulo art item producto produto factura* fatura* boleta* nota nf nfe danfe chave clave
    cae cai cufe uuid folio* ticket reclamo* reclamacao protocolo publicacion anuncio envio encomenda
    paquete pacote remito comprobante* recibo despacho etiqueta turno poliza apolice lacre contrasena
    senha password pin ip cep cp postal registro autorizacion autorizacao transaccion transacao operacion
    operacao caso chamado expediente patente placa chasis chassi motor repuesto numeracion coleccion
    universal barras barra andreani oca ocasa dhl fedex ups estafeta redpack paquetexpress servientrega
    coordinadora interrapidisimo envia deprisa chilexpress starken bluexpress correios sedex jadlog loggi
    total dac ues olva shalom ctt of oc hoja version rev firmware certificado matricula id cliente
    usuario cnpj municipio departamento regimen cfdi pesos precio preco reais soles cuotas parcelas`,

  /** A telephone. */
  phone: `
    tel telef* telf telefono* telefone* fijo fixo fone fono celular* cel celu movil moviles telemovel tlf tfno tlfn
    whatsapp* wasap* wsp wpp whats zap llam* marcame marqueme marquenos marcanos marcarme marcar ligar
    ligue liga ligacao contacto contactos contato contatos contact* comunic* ddd chama chame chamar
    mensajea* escribime escribeme escribame sms interno ext hablar habla falar fale telegram`,

  /** An account that receives money. */
  bank: `
    cbu cvu clabe cci iban alias cuenta conta nequi daviplata pix tarjeta cartao yape plin deposit*
    transf* consign* ahorros corriente corrente poupanca vista bancolombia agencia`,

  /** An identity document. */
  document: `
    dni cuit cuil rut run rfc curp cpf rg cedula ci cc nit ruc documento* nif pasaporte passaporte
    identidad identidade identificacion ine ife le lc contribuinte`,
} as const

export type NumberKind = keyof typeof numberCues

/** Words that are skipped between a number and the word that tells its kind. */
export const linkingWordList = `
  es e o a al en na no do da de del dos das el la los las lo un una um uma mi mis meu minha meus tu su seu
  sua nuestro nuestra nosso nossa nro num numero numeros n no nº este esta ese y ou para por pelo pela com
  con ao aos este ese esse essa sigue segue siguiente seguinte q que ja ya aca aqui aki favor porfa me te
  le lhe se llega numerito`

/** Possessives: "my number" precedes a telephone number. */
export const possessiveList = `mi meu tu seu su nuestro nosso minha`

/** Units after a number that is a measure or a price. */
export const units = `
  cm mm mts mt metros metro m km kg kgs g gr grs gramos gramas mg t ton ml l lt lts litros cc oz lb lbs
  in pulg pulgadas polegadas hs hrs hora horas h min minutos seg segundos s dias dia meses anos años w kw
  v volts volt a amp amperes mah ah hz khz mhz ghz gb mb tb mp px rpm psi bar hp cv btu lumens lm k pesos
  reais soles dolares usd ars mxn cop clp brl uyu pen eur euros cuotas parcelas unidades unidad unidades
  u uds pzas piezas pecas pares hojas folhas paginas grados graus`
