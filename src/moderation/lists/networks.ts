/**
 * Invitations to a messenger or social network. A product that works with one is no invitation: prepositions,
 * possessives and verbs of inviting tell the two apart.
 */
export const networkPhrases = `
<chat> = whatsapp*|watsapp*|whatsap|watsap|whatapp|whastapp|whatssap|wasap|wasapp|wassap|wasa|
  guasap|guasapp|guatsap|guatsapp|wapp|wpp|wsp|wtsp|wasp|whats|wats|zap|zapzap|zapp|telegram|
  telegran|messenger|messeger|discord|skype|wechat|viber|snapchat|snap
<network> = instagram|instagran|insta|istagram|facebook|facebok|feisbuk|feis|face|tiktok|twitter|
  linkedin|pinterest|kwai|threads
<any> = <chat>|<network>|ig|fb
<product> = notificac*|notification*|notific*|mensajes|mensagens|llamadas|chamadas|videollamadas|
  instal*|descarg*|baix*|abr*|actualiz*|atualiz*|conect*|sincroniz*|vincul*|config*|permite|
  soporta|suporta|funciona|compatible|compativel|muestra|mostra|trae|reloj|relogio|tablet|celular|
  aplicacion|aplicativo|app|smartwatch|historias|stories|filmar|gravar|grabar|usar|audios|botao|
  boton|icono|desbloque*|trava
<write-es> = escribime|escribinos|escribeme|escribenos|escribame|escribanos|escribir|escribirme|
  escribirnos|escribi|escriba|escribe|hablame|hablanos|hableme|hablenos|hablemos|hablar|hablarme|
  hablas|hablamos|mandame|mandanos|mandeme|mandenos|manda|mande|mandar|mandarme|enviame|envianos|
  envieme|envienos|envia|envie|enviar|pasame|pasanos|paseme|pasenos|pasas|pasarme|dame|deme|das|
  regaleme|regalame|agregame|agreganos|agregueme|agreguenos|agrega|agregar|agendame|agendanos|
  agendeme|contactame|contactanos|contacteme|contactenos|contactate|contactar|contacta|contacto|
  comunicate|comuniquese|comunicarte|comunicarse|seguinos|seguime|siguenos|sigueme|siganos|sigame|
  sigan|buscanos|buscame|busquenos|busca|buscar|encontranos|encuentranos|encontrarnos|visitanos|
  visitenos|visita|unite|unete|unase|sumate|llamame|llamanos|llameme|consultanos|consulta|
  consultas|charlamos|charlemos|coordinamos|coordinemos|platicar|platicamos|chatear|chateamos|
  atendemos|atiendo|respondo|respondemos|arreglamos|resolvemos|aguardo|espero|esperamos|quedamos|
  seguimos|sigamos
<write-pt> = chama|chame|chamar|chamem|fala|fale|falar|falamos|falem|segue|siga|sigam|seguir|
  adiciona|adicione|adicionar|passa|passe|passar|manda|mande|mandar|me|envia|entre|entra|entrar|
  acompanha|acompanhe|conversar|conversamos|conversa|atendo|atendemos|resolvo|resolvemos|respondo|
  contate|contacte|visite|procura|procure|acha

[network.invite]
<write-es> ..4 por|al|a|en|un|el|tu|su|nuestro|nuestra|mi|via|de|la? <any>
- <product> ..4 <any>
- mandar|manda|envia|enviar|contacto ..3 de|del <any>
- descarg*|instal*|actualiz* ..4 <any>
escribir|escribirme|escribirnos|escribi|escriba|escribe|mandar|manda|mandame|mande|enviar|envia|
  contacto ..3 al|por|un|tu|su|nuestro|mi <chat>
- <product> ..4 <chat>
agrega|agregar|visita|consulta ..3 nuestro|mi|nuestra <any>
<write-pt> ..4 no|na|pelo|pela|via|por|o|seu|teu|nosso|nossa|meu|um|ao? <any>
- <product> ..4 <any>
- manda|mande|mandar|envia|entra|entre|entrar|abre|visite|passa|me ..4 de|do|da|das|dos <any>
manda|mande|mandar|envia|passa|passe ..3 no|pelo|seu|teu|um <chat>
- <product> ..4 <chat>
me|te ..3 no|pelo|nesse|neste <chat>
- <product> ..4 <chat>
entra|entre|entrar no|na|em <any> da|do|de|com
- entra|entre|entrar no|na|em <any> da|do|de tv|celular|tablet|relogio
por|pelo|via|pela|x wasap|wasapp|wassap|guasap|guasapp|guatsap|wpp|wsp|zap|zapzap|whats|wats|wasa|
  interno|whatsapp|watsapp|whatsap|telegram|messenger
- por|pelo|pela interno
- <product> ..5 <any>
no|al|ao|en|pro|lo|el wpp|wsp|zap|zapzap|zapp
- <product> ..4 wpp|wsp|zap|zapp
el wsp|wpp
mi|mis|nuestro|nuestra|nuestros|nuestras|meu|minha|nosso|nossa|nossos|nossas|da|de la? pagina|
  perfil|cuenta|conta|grupo|canal|fanpage|redes|loja|tienda|pagina de|do|no|en|da? <any>
- da|de|de la pagina|perfil|cuenta|conta|grupo|canal|loja|tienda de|do|no|en <any>
mi|nuestro|nuestra|meu|nosso|nossa|minha <any>
- <product> ..4 mi|meu|minha <any>
tu|su|seu|teu|sua|tus whatsapp|watsapp|whatsap|wasap|wassap|guasap|wpp|wsp|whats|zap|telegram|
  instagram|insta|face|facebook|ig|fb|tiktok
- <product> ..5 tu|su|seu|teu|sua <any>
- tu|su|seu|teu|sua <any> en|no|na|web|se|por
grupo|canal|catalogo de|do|en|no|vip <any>
- <product> ..4 <any>
mensaje|mensagem|msj|msg|direct|dm|inbox|md por|al|en|no|pelo|via|del|do <any>
- <product> ..4 <any>
- mensaje|mensagem del|do <any>
<any> al|de|da|do|del este|la|loja|tienda|local|empresa|negocio|numero|gente|equipe
- <product> ..4 <any>
- <any> del|do|de|da este|la empresa|equipe|numero
prefiero|prefiere|prefieres|prefiro|mejor|melhor|mejor ..2 <chat>
- <product> ..5 <chat>
whatsappea*|wasapea*|guasapea*|whatsapp me|y|nos
mas|mais fotos|videos|modelos|info|informacion|novedades|novidades|ofertas|cupones|cupom|cupons|
  productos|promos ..1 en|no|na|por ..1 <any>
en nuestro|mi facebook|face|instagram|insta
siguenos|seguinos|siganos|siga|segue|sigan|encontranos|buscanos ..3 redes|rrss
redes sociales|sociais como|arroba|somos|estamos
como|soy|sou|somos ..2 en <network>
- <product> ..4 <network>
soy|sou|somos en|no|na <network>

en|no|na|por|pelo|pela|al|ao|via|nel el|la|o|a|nuestro|nosso|nuestra|nossa|mi|meu|este|las|los?
  <any>
- <product> ..6 <any>
- <any> de|da|do|del tv|televisor|celular|tablet|reloj|relogio
- vi|vimos|vio|visto|viste|anuncio|publicidad|propaganda|reels|video|mostraban|salia ..4 <any>
- entrar|entro|entre|entra|acceder|acceso|acessar|acesso|consigo|logar|iniciar|sesion|publicar|
  publico|postar|subir|subo|posteo|cuelga|traba|login ..4 <any>
- transmitir|vivos|vivo|live|lives|directo|selfies|reels|contenido|conteudo ..5 <any>
wpp|wsp|wasap|wasapp|guasap|guasapp|zap|zapzap|wtsp
- <product> ..6 wpp|wsp|wasap|wasapp|guasap|guasapp|zap|zapzap|wtsp
- ferramenta|esponja|lampara|zap matador|insect*|mosquit*|z

[network.ask]
tenes|tienes|tenis|tens|usas|teria|tendras|tendra|tendrias un|algun|um|algum? <any>
tem|tiene|tienen|tendran whats|wats|zap|zapzap|wpp|wsp|wasap|guasap
voce|voces|vc|vcs|usted|ustedes|ud|uds tem|tiene|tienen|usa|usam|teria|tendra <any>
^ tem|tiene|tienen|tendra|hay <chat>
hola|buenas|ola|oi|dia|tardes|tarde|noches|noite|bom|boa|amigo|amiga tem|tiene|tienen|tenes|tienes
  <chat>

[network.domain]
instagram|facebook|whatsapp|telegram|tiktok|twitter|discord|linkedin|messenger com|me|punto|ponto|
  barra
- instagram|facebook|whatsapp|telegram|tiktok|twitter|messenger|discord me ..1 aparece|sale|pide|
  dice|aparece|diz
wa punto|ponto me
fb com|me
`

/** Networks after which a handle may follow. */
export const networkNames = `
  ig insta instagram fb face facebook tiktok telegram twitter discord snapchat kwai messenger`

/** Networks whose disguised names match on their own. */
export const hiddenNames = `
  ${networkNames} whatsapp whatsap watsapp wasap guasap whats wsp wpp zap`
