/**
 * Requests or offers to pay outside the platform: transfers, deposits, instant payments, cash. Statements about
 * payments and refunds on the platform do not match.
 */
export const paymentPhrases = `
<account> = cbu|cvu|clabe|cci|iban|alias|chave|pix|cuenta|conta|clave
<money> = plata|dinero|dinheiro|valor|monto|diferencia|diferenca|resto|restante|saldo|pesos|soles|
  reais|total|importe|seña|sena|sinal|envio|frete|flete
<direct> = directo|directa|directamente|direto|direta|diretamente
<outside> = fuera|afuera|fora
<platform> = plataforma|app|aplicacion|aplicativo|sitio|site|feria|pagina
<not> = no|nao|nunca|jamas|tampoco|tampouco
<clitic> = te|le|les|lhe|lhes|lo|la|os|as|me|nos|voce
<shop> = mi|nuestra|nuestro|meu|nosso|minha|nossa|web|pagina|tienda|site|sitio|loja|virtual|nosotros|
  conmigo|comigo|gente|a|nos

# Who says that payment outside is not accepted, not possible or forbidden offers none. What is refused
# is named by these words alone, so that an offer in the same sentence ends it ("no aceptamos tarjeta,
# transferime"). Only whoever is paid says so: "¿no aceptás transferencia?" asks for it.
<way> = pago|pagos|pagamento|pagamentos|cobro|cobros|venta|ventas|venda|vendas|trato|tratos|negocio|
  negocios|operacion|operaciones|operacao|operacoes|dinero|dinheiro|plata|efectivo|especie|cash|
  transferencia|transferencias|deposito|depositos|giro|giros|pix|ted|yape|plin|nequi|daviplata|paypal|
  oxxo|spei|bancario|bancaria|bancarios|bancarias|banco|cuenta|cuentas|conta|contas|medio|medios|meio|
  meios|forma|formas|tipo|externo|externos|externa|externas|entrega|mano|mao|maos|contra|otro|otros|
  otra|otras|outro|outros|outra|outras|ningun|ninguna|nenhum|nenhuma|nadie|ninguem|algun|un|una|um|uma|
  el|la|los|las|o|a|os|as|por|via|mediante|en|em|de|del|do|da|con|com|al|ao|para|pra|na|no|este|esta|
  nuestra|nossa|y|e|u|ou|ni|nem|<outside>|<direct>
<refuse> = acepto|aceptamos|aceito|aceitamos|recibo|recibimos|recebo|recebemos|tomo|tomamos|trabajo|
  trabajamos|trabalho|trabalhamos|pido|pedimos|peco|solicito|solicitamos|manejo|manejamos|uso|usamos|
  utilizamos|cobro|cobramos|vendo|vendemos|ofrecemos|oferecemos|tenemos|temos|hago|hacemos|faco|fazemos|
  realizo|realizamos|negociamos|concretamos|gestionamos
<impersonal> = acepta|aceptan|aceita|aceitam|recibe|reciben|recebe|recebem|permite|permiten|permitem|
  vende|venden|cobra|cobran|toman|paga|pagan|hace|hacen|faz|fazem
<done> = pagar|cobrar|cobrarte|cobrarle|vender|venderte|venderle|comprar|recibir|receber|aceptar|
  aceitar|tomar|transferir|depositar|realizar|pedir|pedirte|pedirle|negociar
<forbid> = pague|pagues|paguen|paguem|transfiera|transfieras|transfieran|transfira|transfiram|deposite|
  deposites|depositen|depositem|haga|hagas|hagan|faca|facam|acepte|aceptes|acepten|aceite|aceitem|
  compre|compres|compren|realice|realices|realicen|envie|envies|envien|mande|mandes
- <not> <clitic>? <refuse> <way>+ <platform>?
- <not> <clitic>? se <impersonal> <way>+ <platform>?
- <not> se|es|esta|e puede|pueden|pode|podem|debe|deve|permite|permitido|posible|possivel <done> <way>+
  <platform>?
- <not> <clitic>? podemos|puedo|posso|quiero|quero|queremos|voy|vou|vamos a? <done> <way>+ <platform>?
- <not> <clitic>? <forbid> <way>+ <platform>?
- <not> <clitic>? vamos|voy|vou? a? pedir|pedirte|pedirle|pedimos|pido|peco|solicitamos|exigimos que|
  para <clitic>? <forbid>|<done> <way>+ <platform>?
- prohibid*|proibid*|prohibe|proibe|evite|evita|evitar <done>? <way>+ <platform>?
- sin|sem pago|pagos|pagamento|pagamentos|venta|ventas|venda|vendas|transferencia|transferencias <way>+
  <platform>?
- pago|pagos|pagamento|pagamentos|venta|ventas|venda|vendas|transferencia|transferencias|deposito|
  depositos <way>+ <platform>? <not> se|son|sao|es|e|esta|estan|estao <impersonal>|permitid*|aceptad*|
  aceito|aceitos|valid*|posible|possivel

[pay.transfer]
transferime|transferinos|transferirme|transferirnos|transfiereme|transfierame|transfierenos|
  transfieranos|transferiles|transferisme
transfere|transferir|transfira|transfiere|transfiera|transfieres|transferis|transferi|transferirte|
  transferirle|transfiero|transfieras|transfiro ..3 por|pra|para|a|la|el|o|os|los|directo|direto|
  mi|minha|nuestra|cbu|alias ..2 fuera|afuera|fora|minha|mi|conta|cuenta|nuestra|nossa|<money>|
  <account>|<direct>|mim
- plataforma|app|sistema ..3 transfiere|transfere|transferir ..4 cuenta|conta|<money>
- transferir|transfere|transfiere|transfiera|transfira ..3 fotos|datos|dados|contactos|contatos|
  archivos|arquivos|musica|linea|garantia|titularidad
te|le|me|vos lo|los|la|las? transfiero|transfiro|transferis|transferir|transfieres|transfiere|
  transfere|transfira|transfiera|transferirte
- plataforma|app|sistema|feria ..1 te|le transfiere|transfere|transferir|transfiera
puedo|posso|puedes|podes|pode|puede te|le|me? transferir|transferirte|transferirle|transferirme
- plataforma|app|sistema ..1 puede|pode te|le|me? transferir
transferir|transferis|transfieres|transfiero|transferis directo|direto|directamente|diretamente
haga|haceme|hagame|hace|haz|hacerme|hagan|realice|realizame|realiza|manda|mande|mandame|mandeme|
  envia|enviame|envieme|faca|faz|fazer|hacer ..3 transferencia|transfer|deposito|consignacion|spei|
  pix|ted|giro|recarga
- transferencia de|del datos|dados|archivos|arquivos|fotos|contactos|calor|dominio|linea|garantia
- hace|hacer|haga|faz|fazer|realiza ..2 giro|recarga
- plataforma|app|banco ..4 transferencia|deposito|pix
haga|haceme|hagame|hace|haz|hacerme|realice|hacer|haga ..2 giro|deposito|recarga ..4 nombre|red|
  western|cuenta|banco|oxxo|cobranza|nequi|efectivo|plata|dinero|celular
hacerme|haceme|hagame|haganos ..2 deposito|giro|transferencia|consignacion
datos|dados|comprobante|numero para|de|da|do la|el|a? transferencia|transferir|deposito|depositar|
  pix
- comprobante|datos|numero de la|el? transferencia|deposito
paso|pasame|pase|mando|mandame|envio|enviame|comparto|passo|passa|passe|dou|doy|dame|deme|pasa|
  pasarme|pasarte|paseme|pedime ..3 cbu|cvu|clabe|cci|alias|pix|iban
pasame|paseme|paso|pasa|pase|mando|mandame|envio|enviame|passo|passa|comparto|dou|doy ..3 datos|
  dados bancarios|bancarias
pasame|paseme|paso|pasa|pase|mando|mandame|envio|enviame|passo|passa|comparto|dou|doy ..3 datos|
  dados|numero|nro de|da|do|para|pra la|el|a|o|mi|minha? transferencia|cuenta|conta|deposito|
  tarjeta|cartao|pix|transferir|depositar
mi|nuestro|minha|nossa|meu|nosso|mis|tu|su|sua|nuestra cbu|cvu|clabe|cci|alias|chave|pix|nequi|
  daviplata|yape|plin
alias es|e|cbu|cvu|mp|mio|bancario
chave pix|do|para pix?
- chave do|para
chave do pix

pagar|pagarte|pagarle|pagarles|pagarlo|pagas|pagame|pagueme|abonar|abonarte|abonas|pagaria|pagarme
  ..4 transferencia|transfer|deposito
- pagar|pagas|abonar|pagarlo ..4 transferencia ..3 plataforma|app|compra
acepta|aceptan|aceptas|aceptamos|acepto|aceita|aceitam|aceitamos|aceito|recibo|recibes|recibis ..1
  transferencia|transferencias|deposito|depositos|pix|efectivo
- acepta|aceptan|aceita|aceitam ..1 deposito|transferencia de
mandame|mandeme|envieme|enviame|manda ..2 plata|dinero|dinheiro|monto|valor por|via|a|al|al|no|pelo
  transferencia|deposito|pix|banco|cuenta|conta|nequi
haga|hagame|haceme|haz|hazme|hagan|hacerme|hacerte|hacer|hago ..2 yape|plin|nequi|daviplata|yapeo
girame|gireme|girar|gire|giro ..4 red|nombre|western|dinero|plata|diferencia|resto
faco|farei|faria|fazer|fizer um|o? pix
- faco|fazer um|o? pix ..3 plataforma|app|site|compra
transferencia|transferencias|deposito|depositos a|al|por? alias|cbu|cvu|clabe|nequi|daviplata
minha|mi|nuestra|nossa conta|cuenta e|es|bancaria ..3 #
ag|agencia # ..2 cc|conta|cuenta

[pay.deposit]
deposit* ..4 cuenta|conta|clabe|cbu|cvu|oxxo|alias|banco|plata|dinero|dinheiro|diferencia|
  diferenca|agencia|tarjeta|valor|cci
- deposit* ..4 plataforma|garantia|agua|banco
depositame|depositeme|depositanos|depositenos|depositarme|depositarnos
cuando|apenas|avisame|avise|quando deposites|deposite|depositas|consigne|consignes|transfieras|
  transfiera|transferis|transferir ..2
consigne|consigna|consignas|consigneme|consigname|consignar|consignarme|consigno ..4 nequi|cuenta|
  daviplata|ahorros|banco|plata|dinero|bancolombia|efecty
me consigna|consignas|consigne
yapeame|yapeeme|yapear|yapearme|yapea|yapeas|plineame|plineas|nequea

[pay.wallet]
pag*|envi*|mand*|transf*|abon*|acept*|aceit*|recib*|receb*|consign*|gir*|cobr*|cancel*|deposit* ..4
  nequi|daviplata|yape|plin|paypal|picpay|pagseguro|zelle|venmo|skrill|payoneer|moneygram|western|
  tunki|bizum|mbway|astropay|binance|cripto*|bitcoin*|usdt|tpago|sinpe|efecty
- pague|pagué|paguei|pago ..2 con|por|com|en nequi|daviplata|yape|plin|paypal|picpay|efecty ..4
  plataforma|compra|app|rechaz*|aprob*|acredit*|pendiente
puede|podes|puedes|pode|pague|pagar|pagarme|paga|pagas|deposita|deposite|resto|diferencia ..4 oxxo|
  spei
- ya|ja|yo pague|pagar|deposite ..3 oxxo
- oxxo ..2 referencia|plataforma|app
pix ..3 comigo|conmigo|direto|directo|mim|chave|fora
- pix ..3 direto|directo na|no|pela|pelo|en|pra|para
me|te|lhe|nos faz|faca|fazer|faco|manda|mande|mando|envia|paga|pague|pago ..3 pix
faz|faca|fazer|manda|mande|pague|pagar|paga ..2 pix ..3 de|reais|chave|direto|comigo|que|pra|para
- pague|pagar|paga ..2 pix ..3 plataforma|app|site|compra
te|lhe|vos passo|mando|envio ..2 pix
pagar|pago|pague|paga|pagando ..3 no|via|por|com pix direto|por|comigo
pagar|pago|pague no pix

[pay.outside]
pag*|transf*|abon*|comprar|compra|compras|compre|compro|cancel*|vend*|arregl*|acord*|negoci*|fech*|
  trat*|cobr*|hac*|cerr* ..4 por|de fuera|afuera|fora
- pag*|compr*|cancel*|hac* ..4 por|de fuera|afuera|fora del|de pais|ciudad|horario|garantia|stock|
  linea|serie|cidade|plazo|prazo|lo
pag*|transf*|abon*|compr*|vend*|arregl*|acord*|negoci*|envi*|cobr* ..4 fuera|afuera|fora de|da|do
  la|el|este|esta? plataforma|app|aplicacion|aplicativo|sitio|site|feria|pagina
pag*|abon* directo|direto|directamente|diretamente|directa ..1 con|a|conmigo|comigo|nosotros|no|na|
  al|pra|para
- pag* directo|direto|directamente|diretamente a|en|na|no|pela|por la|el|o? plataforma|app|compra
te|le|lhe pago|pagas|pagar|pagaria directo|direto|directamente|diretamente
cancel* ..4 pag*|transf*|deposit*|abon* ..3 directo|direto|directamente|diretamente|efectivo|fora|
  afuera|fuera|pix|transferencia
cancel* ..4 te|me|le transfiero|transferis|transfieres|transfiera|deposito|depositas|pago|pagas|paga
- cancel* ..4 me paga|pagas ..2 plataforma

# A proposal in the form of a question, and a condition: neither is a refusal.
por que no|nao <clitic>? pag*|cobr*|hac*|faz*|vend*|compr*|transf*|arregl*|acord*|negoci*|fech* ..4
  <outside>
si|se no|nao <clitic>? pag*|cobr*|transf*|arregl*|acord*|negoci* ..4 <outside>

barato|desconto|descuento|preco|precio|economico ..3 fora|fuera|afuera do|da|de site|plataforma|
  app|aca|aqui|la|feria
pago|pagarte|pagas|pagar|pagarlo|pagan|paga ..4 en|em mano|maos

[pay.cash]
pagas|pagar|pagame|pagan|pagarme|pagarlo|pagarle|pagarse|pagaria|paga|abona|abonas|abone|abonar|
  abonarlo|abonan|abonanse|pagarselo|pagando|pagaras|pagues ..4 efectivo|mano|maos|dinheiro|cash|
  especie
- paga|pagar|pagando|pagaria ..4 efectivo|dinheiro ..4 plataforma|app|kiosco|cupon|boleto|red|
  loterica
- paga|pagar|pagando ..4 meu|seu|o|mi|el dinheiro|dinero
- dinheiro de volta
pagueme|paguenos|paguele ..5 efectivo|dinheiro|cash|mano
contra entrega|reembolso efectivo|en ..1 efectivo?

[pay.courier]
te|le ..2 dar|doy|llevo|dejo ..1 efectivo|plata|dinero|dinheiro
pag*|abon*|cancel*|cobr* ..5 chofer|cadete|repartidor|transportista|conductor|mensajero|motoboy|
  entregador|flete|fletero|camionero|delivery
- no|nada|nao ..2 pag*|abon*|cancel*|cobr* ..5 chofer|cadete|repartidor|transportista|conductor|
  mensajero|motoboy|entregador|flete|delivery
- pago|pagado|pagada|pague|paguei|cancelado ..5 flete|delivery
- pag*|cancel*|cobr* ..5 flete|delivery incluid*|gratis|por|en|de|ya|plataforma
dele|dale|darle|entrega|entreguele|entregue ..1 pago|plata|dinero|efectivo|dinheiro al|ao chofer|
  cadete|repartidor|transportista|conductor|mensajero|motoboy|entregador|fletero

[pay.elsewhere]
compr*|vend* ..3 directo|direto|directamente|diretamente con|comigo|conmigo|contigo|a|nosotros
- compr*|vend* ..3 directo|directamente|direto a traves
comprame|compranos|compreme|comprenos|compra|compre|comprar ..2 por|en|no|pelo|na|pela mi|nuestra|
  nuestro|meu|nosso|minha|nossa web|pagina|tienda|site|sitio|loja
- compr* ..2 tienda|loja oficial
# A purchase that was made: thanks for it, congratulations on it, what becomes of it.
- gracias|agradec*|agradezco|obrigado|obrigada|grato|grata mucho|muchisimo|muito|demais? por|pela|pelas|
  de|a|que|la|las? <clitic>? haber|ter|hayas|haya|tu|su|sua|vuestra|a? compr* realizada|efectuada|
  feita? <direct>? por|en|no|na|em|pelo|pela|con|com|a? <shop>+
- tu|su|sua|tus|suas|vuestra|esta|essa compra|compras realizada|efectuada|feita? <direct>? por|en|no|na|
  em|pelo|pela <shop>+
- felicit*|felicidades|parabens|disfrut*|bienvenid*|feliz por|pela|con|com|a|la|de|tu|su|sua? tu|su|la|a?
  compra por|en|no|na|em <shop>+
- esper*|ojala|encant*|gustar*|adorar* ..2 volver|vuelvas|vuelva|vuelvan|volte|voltem|voltar|regres* a
  comprar en|na mi|nuestra|nossa|minha tienda|loja
haz|hace|hacer|haga|hagan|hacenos|realiza|realice|realizar|concreta|concretar|finaliza|finalizar|faz|
  faca|fazer|realize|finalize ..1 compra|compras por|en|no|na|em mi|nuestra|nuestro|meu|nosso|minha|
  nossa web|pagina|tienda|site|sitio|loja
gero|genero|faco|hago|mando|emito|armo|envio ..3 por fora|afuera|fuera
pag*|abon*|mand*|escane* ..4 qr
- pag*|mand* ..4 qr de|del|da? plataforma|app|producto|garantia|manual
qr ..5 pag*|abon*
pag*|abon*|cobr* ..3 aparte
que|cual|qual|a|en ..1 cuenta|conta|alias|cbu|chave ..3 deposit*|transf*|pag*|gir*
- que|cual|qual ..1 cuenta ..3 plataforma
- a|en ninguna cuenta ..3 deposit*|transf*|pag*|gir*
tiene|tienes|tenes|tem|maneja|manejan|usa|usas|tens ..1 nequi|daviplata|yape|plin|pix|paypal|cbu|cvu
por|con|via|no transferencia|efectivo|pix|deposito ..4 descuento|menos|rebaja|barato|hago|dejo|
  desconto|faco|mejor|recargo|off
te|lhe|le mando|passo|paso|envio a|o|el|la|mi|minha? chave|alias|cbu|cvu|clabe
- te|lhe|le mando|passo|paso|envio a|la? chave ..1 de|da|do|reserva|philips|inglesa|allen|nova|certa
yapeo|yapearte|yapeamos|yapee
cuenta|cta rut|vista|corriente|ahorros
cuenta|cta de ahorro|ahorros
conta corrente|poupanca
- devuel*|reembols*|reintegr*|estorn*|devolu* ..6 cuenta|cta|conta de? rut|vista|corriente|ahorro|
  ahorros|corrente|poupanca

[pay.outside-seller seller]
pague|paguen|paguenos ..5 efectivo|dinheiro|cash|mano
- ya|lo|que|ja pague
me|nos deposita|depositas|depositan|depositen|deposite
mandame|mandanos|enviame|envienos|mandeme|envieme|manda|mande|pasame|envia|envie ..2 comprobante|
  comprovante de|do|del|da? deposito|pix|pago|pagamento|transferencia
hace|haga|faz|faca|haceme el|un|o|um deposito
- hace|haga el|un deposito en|del ..1 tanque|agua
pague|paguen ..4 efectivo
pague fuera|afuera|fora
`
