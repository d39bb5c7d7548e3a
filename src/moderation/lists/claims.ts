/**
 * Requests of a seller not to open a claim, or to close one. Also a request to write to the seller *before* opening a
 * claim. Information about claims, and the request not to close one yet, do not match.
 */
export const claimPhrases = `
<claim> = reclamo|reclamos|reclamacion|reclamaciones|reclamacao|reclamacoes|disputa|disputas|
  mediacion|mediaciones|mediacao|mediacoes|queja|quejas|denuncia|denuncias|controversia
<det> = el|la|los|las|lo|un|una|unos|ningun|ninguna|su|tu|este|esta|ese|esa|dicho|mas|o|a|os|as|um|
  uma|nenhum|nenhuma|essa|esse|sua|tua
<opening> = abre|abris|abres|abras|abra|abran|abrir|abrirme|abrirnos|inicies|inicie|inicien|
  iniciar|hagas|haga|hagan|hacer|pongas|ponga|pongan|poner|coloques|coloque|coloquen|colocar|
  levantes|levante|levanten|levantar|generes|genere|generen|generar|metas|meta|metan|meter|
  presentes|presente|presenten|presentar|realices|realice|realicen|realizar|crees|cree|crear|
  registres|registre|registrar|efectue|efectuar|interponga|interponer|faca|facas|facam|fazer|crie|
  criar|entre|entrar|gere|gerar|mandar|mandes|mande|ingrese|ingreses|ingresar|tramite|tramites|
  subas|suba|subir|armes|arme|armar|eleves|eleve|elevar|escale|escalar|envies|envie
<closing> = cierres|cierre|cierren|cierra|cerra|cerrar|cerrarlo|cerrarme|canceles|cancele|cancelen|
  cancela|cancelas|cancelar|cancelarme|retires|retire|retiren|retira|retiras|retirar|quites|quite|
  quiten|quita|quitas|quitar|quitarme|saques|saque|saquen|saca|sacas|sacar|sacarme|finalices|
  finalice|finalicen|finaliza|finalizar|anules|anule|anulen|anula|anular|bajes|baje|bajen|baja|
  bajas|bajar|bajarme|elimines|elimine|eliminen|elimina|eliminar|desistas|desista|desistir|
  desestime|desestimar|cerras|cierras|revoque|revocar|concluya|concluir|encerre|encerres|encerra|
  encerrar|encerrem|feche|feches|fecha|fechar|fechem|remova|remover|remove|finalize|finalizes|
  desiste|exclua|excluir|exclui|tire|tira|tirar|baixe|baixa|baixar|apague|apaga|apagar|conclua|
  conclui|suspenda|suspender|cierralo|cerrame|cerranos|cierrame|cierreme|cierrenos|cancelame|
  canceleme|sacame|saqueme|quitame|quiteme|bajame|bajeme|retirame|retireme|anulame
<me> = me|nos|le|lo|les|se|te
<asked> = abras|abra|abran|abrir|inicies|inicie|inicien|iniciar|hagas|haga|hagan|hacer|pongas|
  ponga|pongan|poner|coloques|coloque|coloquen|colocar|levantes|levante|levanten|levantar|generes|
  genere|generen|generar|metas|meta|metan|meter|presentes|presente|presenten|presentar|realices|
  realice|realizar|crees|cree|crear|registres|registre|registrar|faca|facas|facam|faz|fazer|crie|
  criar|entre|entrar|gere|abre|mande|mandes|ingrese|ingreses|tramite|subas|suba|subir|armes|arme|
  armar|eleves|eleve|elevar|escale|escalar|envies|envie

[claim.open seller]
no|nao|nunca|ni|nem <me>? <asked> <det>? <claim>
- si|se ..2 no|nao <me>? <opening> <det>? <claim>
nao entre|entrar|entrem com <det>? <claim>
- se ..2 nao entrar|entre com <det>? <claim>
sin|sem <opening> <det>? <claim>
- sin|sem <opening> <det>? <claim> no|nao|la|a
sin|sem necesidad|necessidade de|que <opening> <det>? <claim>
evite|evita|eviten|evitar|evitemos|evitarnos|evitarme|evites <opening>? <det>? <claim>
- para|pra evitar <det>? <claim>
no|nao hace|es|seria|e|sera|ha|hay|tem|precisa|necesita|necesitas|precisas|tenes|tienes|tiene|haria
  falta|necesario|necesaria|necessario|necessaria|que|preciso|de|necesidad|necessidade|motivo|
  razon|por|porque? que|de|para|por? <opening> <det>? <claim>
nao e|ha|tem|seria? necessario|preciso|necessidade|motivo de|que|para? <opening> <det>? <claim>
no|nao hace|es|e|precisa falta|necesario|necesaria|necessario|necessaria|de? un|el|ningun|o|a|uma|
  de? <claim>
- si|se ..2 no|nao hace|es|e|precisa ..2 <claim>
no vale|conviene|sirve|amerita|ayuda la? pena? que? <opening> <det>? <claim>
nao vale|compensa|adianta|convem a? pena? <opening> <det>? <claim>
antes de|que|do que? <opening> <det>? <claim>
antes de reclamar|reclamarme|reclamarnos|reclamarle|denunciar
no|nao|nunca <me>? reclames|reclame|reclamen|reclamar|denuncies|denuncie
no|nao precisa|necesita|necesitas|hace|es|e|tem|tiene|vale|ha falta|necesario|necessario|que|
  preciso|pena|por? de|que|la? reclamar|reclames|reclame
- si|se ..2 no|nao <me>? reclame|reclames|reclamar
- no|nao <me>? reclames|reclame|reclamar ..1 garantia|premio|puntos|cupon|puntos
en|ao|em lugar|vez|invés de <opening> <det>? <claim>
no|nao proceda|procedas|proceder|siga|sigas|seguir|sigan|continue|continues|continuar|prossiga|
  avance|avances con|com <det>? <claim>

[claim.close seller]
<closing> de|del|da|do|con|com? <det>? <claim>
- no|nao|ni <me>? <closing> de|del|da|do? <det>? <claim>
- no|nao ..2 que|falta|necesario|necesita|necesitas|precisa|precisas|necessario|de|debe|debes|deve|
  tiene|tenes|tem ..1 <closing> de|del|da|do? <det>? <claim>
- sin|sem|al|ao|ya|ja|se|si|lo|a <closing> de|del|da|do? <det>? <claim> por|automaticamente|solo|
  sola|sozinha
- sin|sem <closing> de|del|da|do? <det>? <claim>
- plataforma|feria|sistema|soporte|suporte|ellos|eles|equipo|equipe|mediador|sitio lo|la|va|puede|
  debe|tiene|suele|vai|pode|deve? a|que? <closing> <det>? <claim>
- van|vao|voy|vou a? <closing> <det>? <claim>
- fecha de|del? <claim>
- cuando|quando|que|hasta|ate que? se <closing> <det>? <claim>
- ya|ja yo|eu? cancele|retire|baje|cierre|quite <det>? <claim>
das|des|de|dar|da|den|darle|darme|dale|dejar|deja|deje|dejes baja|baixa|sin|sem a|al|efecto|efeito|
  el|la|de|del|un|na|no|en? <det>? <claim>
- no|nao ..2 das|des|de|dar|da|den|dejar baja|sin ..1 <det>? <claim>
solicit*|pid*|pedi|necesito ..1 baja|cierre|cancelacion|retiro|encerramento|cancelamento del|de|do|
  da <det>? <claim>
marc*|pon*|dé|dar|da|de|acept* ..1 <claim> como resuelto|solucionado|resuelta|solucionada|
  resolvida|resolvido|finalizado|cerrado|encerrada
pone|ponga|poner|pongas|marca|marque|marcar|marques|coloque|coloca ..3 resuelto|resuelta|
  solucionado|solucionada|resolvido|resolvida|finalizado ..2 <claim>
deje|deja|dejes|deixe|deixa ..1 <claim> de lado|sin

# Where levantar a claim is to lift it; in Mexico it is to raise one.
[claim.lift seller MLA MLU MPY]
levanta|levantes|levantar|levante|levantas|levantame <det>? <claim>
- no|nao ..2 levanta|levantes|levantar|levante <det>? <claim>
`
