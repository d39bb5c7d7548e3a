/**
 * Addresses of people and shops, and e-mail addresses without their signs. Branches of carriers are no personal data.
 * `rules/numbers.ts` finds numbers.
 */
export const personalDataPhrases = `
<street> = calle|calles|av|avda|avenida|avenidas|rua|alameda|travessa|pasaje|pje|carrera|cra|kra|
  diagonal|transversal|boulevard|bulevar|blvd|calzada|jiron|jr|praca|rodovia|autopista|privada|
  calz|prolongacion|circuito
<unit> = cm|mm|mts|mt|metros|metro|m|kg|kgs|g|gr|gramos|hs|hrs|horas|hora|h|min|minutos|dias|
  cuadras|quadras|pesos|reais|unidades|unidad|veces|vezes|rpm|w|v|volts|pulgadas|litros|l|lts|ml|
  pzas|piezas|pares|años|anos|meses|km
<branch> = sucursal|sucursales|agencia|agencias|punto|puntos|ponto|correo|correios|coleta|
  casillero|estacion|estacao|service|servicio|servico|autorizado|autorizada|oficina|terminal|posta|
  aduana|afip|paqueteria|lockers|locker|andreani|oca|dhl|fedex|estafeta

[contact.address]
<street> ..4 # 
- <branch> ..7 <street> ..4 #
- <street> ..4 # <unit>
- calle ..2 de|del tablero|estante|juego|deposito|mapa ..3 #
- privada|circuito|diagonal|transversal|calz|calle|praca ..4 # <unit>
- circuito|diagonal|transversal|privada de|con|integrado|electrico|a|en|fechado ..3 #
vivo|vivimos|moro|moramos|resido en|na|no|em la|el|los|las? ..4 #
- vivo|vivimos|moro|moramos en|na|no|em ..4 # <unit>
- vivo|vivimos|moro en|na|no|em un|una|um|uma ..3 #
direccion|domicilio|endereco es|e|nuestra|nueva|nova|novo? ..3 # 
- direccion|endereco ip|mac|de|da|do ..4 #
- a domicilio ..4 #
- direccion|domicilio|endereco ..3 # <unit>
- <branch> ..3 direccion|domicilio|endereco ..4 #
estamos|local|tienda|loja|deposito|taller|galpon|showroom en|na|no|em|ubicado|ubicada|esta|sobre|
  es|queda en|na|no|em? la|el? ..2 #
- estamos|local|tienda|loja|deposito|taller en|na|no|em ..4 # <unit>
- estamos|local|tienda|loja en|na|no|em un|una|um|uma|stock|linea|feriado|vacaciones|ferias|oferta|
  promo|produccion ..3 #
- estamos en|na|no ..3 # de|a|y|e|hs|dias
retira|retire|retiro|retiralo|retirelo|retirarlo|veni|venir|venga|ven|buscalo|buscarlo|venha|vem|
  retirar|entregalo|entreguelo|entregarlo|entreguenlo|dejalo|dejenlo|dejarlo|envialo|enviarlo|
  mandalo|mandenlo|llevalo|traelo por|en|na|no|em|a ..3 ##
- retir*|veni*|venga|buscalo|buscarlo|venha|entreg*|dej*|envi*|mand*|llev*|trae* ..4 ## <unit>
- retir*|veni*|venga|buscalo|buscarlo|venha|entreg*|dej*|envi*|mand*|llev*|trae* ..3 <branch> ..5 ##
- retira|retire|retiro|retirar ..2 codigo|pedido|numero|guia ..2 ##

[contact.mailbox]
arroba gmail|hotmail|outlook|yahoo|icloud|live|gemail
gmail|hotmail|outlook|icloud punto|ponto|com|pto
yahoo punto|ponto|com ..1 com|ar|br|mx|co|cl|es?
- yahoo com? 
mail|email|correo|e-mail|mi|meu|mei ..4 en|no|na|del|de|do gmail|hotmail|outlook|icloud|yahoo
- mail|email|correo ..4 de|do|del|en|no|na gmail|hotmail|outlook|icloud|yahoo no|nao|esta|ya|se|y|e
- abr*|instal*|config*|cuenta|conta|app ..5 gmail|hotmail|outlook|icloud|yahoo
`
