/**
 * Inappropriate language in Spanish and Portuguese: vulgar words, insults to a person, threats. Syntax:
 * `reading/patterns.ts`. Words that also name products are exceptions or part of a longer phrase (concha, forro, pija,
 * pau, saco, macaco). A complaint about fraud is no insult: a buyer must be able to complain.
 */
export const offensivePhrases = `
[language.vulgar]
chucha de|e|tu|su tu|su|la? madre|mare|vieja
reconcha|reconchuda|reconchudo|recontra puta|mil|de|conchuda
la re concha|puta
me la pelan|pelas|pela|chupan|chupas|chupa|sudan|mamas|maman
wea|weas|weá|hueas|hueá
mamada|mamadas|putada|putadas|verguiza|cagador|cagadores|cagou|caguei|caga
conchadesumare|conchasumare|lcdtm|lpqtp|lptmqlp
puta|puto|putas|putos|putita|putitas|putazo|puteada|putear|reputa|reputo|putamadre|putiza|pvta|pvto
hijueputa*|hijoeputa*|hijodeputa|hijaputa|hijoputa|hijuep*|joputa|hdp|hdps|hpta|hptas|hdlgp|hdrmp|
  hdmp
mierda|mierdas|mierdoso|mierdosa|mierdero|mrda
carajo|culo|culos|culito|culero|culera|culeros|culeras
- culo|culos de|del botella|vaso|frasco|mono|termo
cagar|cagarse|cagarla|cagate|caguen|cagaste|cagaron|cagon|cagona|cagones|cagada|cagadas
joder|jodete|jodanse|jodas|jodan|jodiendo
verga|vergas|vergazo|caraverga|careverga|comeverga
coño|coñazo|cojones|cojonudo|gilipollas
chinga|chingas|chingue|chinguen|chinguense|chingar|chingate|chingada|chingado|chingados|chingaste|
  chingadera*
no mames|mamen|mame
chupame|chupamela|chupala|chupenla|chupenmela|mamamela|mamala|mamenla|chupapija|chupapijas
chup*|mame|mamen|com* la|mi|una|esta pija|pinga|poronga|chota|garompa
en|por|como|al|del|tu el? orto|ojete
concha|conchas de? tu|su|la|tus|sus madre|hermana|vieja|puta|lora|abuela
concha tu|su madre
conchesumadre|conchesumare|conchetumare|conchetumadre|conchatumadre|conchasumadre|ctm|csm|conchuda|
  conchudo|conchudos
vale|valen|valio|importa un? verga|madre|madres|pito|huevo|huevos|carajo
porra|porras|porrada|porradas|caralho|caralhos|krl|krlh|merda|merdas|bosta|bostas|poha
foder|foda|fode|fodase|fodam|fodeu|fodido|fodida|fodidos|fodidas|fuder|fudeu|fudido|fudida|fudidos
toma|tomar|tomarem|tomem|enfia|enfie|enfiar|mete|meter|metam ..3 cu|rabo
no|teu|seu|meu|do cu
arrombad*|cuzao|cuzoes|cuzona|buceta|boceta|xoxota|piroca|pirocas|punheta|punheteiro*|boquete
chupa*|mama* meu|minha|o|a pau|rola|pica
vtnc|vsf|vsfd|tnc|tmnc|pqp|fdp|fdps|lpm|lptm|lpmqtp|ptmr

[language.insult]
cojud*|guevon|guevona|guevones|careculo|mamaverga|rosquete|joto|jotos|puñetas|puñetero|cretino|
  cretina|cretinos|lazarent*|gil|giles de|sos|contesta|goma?
rata|ratas de alcantarilla|cloaca|mierda
seu|sua|suas|seus vaca|anta|jegue burra|burro|gorda|suja|velha
sem vergonha|vergonhas na?
- sem vergonha na|de
hijo|hija|hijos|hijas|jijo|fijo de|e la|las|una|mil|tu|su? puta|puto|putas|perra|chingada|remil|
  mil|madre
hijo|hija|hijos|hijas|jijo puta|putas
filho|filha|filhos|filhas da|de|duma|de uma|umas|mil? puta|putas|quenga|egua|mae
pelotud*|bolud*|voludo|voluda|mogolic*|mongolic*|tarad*|idiota|idiotas|imbecil|imbeciles|imbecis|
  estupid*|subnormal*
pendej*|cabron|cabrona|cabrones|mamon|mamona|mamones|gonorrea|gonorreas|malparid*|caremond*|
  carechimba|pirobo|piroba|pirobos
son|eres unos|unas|un|tan hps|hp|hpta
- son|eres un|unas hp
weon|weona|weones|aweonao|aweonado|ahueonado|ahuevonado|huevon|huevona|huevones|hueon|hueona|
  culiao|culiado|culiada|culiados|culiaos|culia|qliao
maricon|maricones|maricona|marica|maricas|trolo|trolos|mamaguev*|mamahuev*|mamagueb*|mamaweb*
sorete|soretes|garca|garcas|lacra|lacras|escoria|escorias|malnacid*
sos|eres|sois un|una|unos|unas|tan|re|bien|flor? forro|forra|gato|chorro|chorra|rata|rastrero|
  basura|inutil|ignorante|bestia|burro|burra|animal|perra|zorra|cerdo|cerda|porqueria|bobo|boba|
  tonto|tonta|payaso|payasa|ladron|ladrona|ratero|ratera|sinverguenza|caradura|chanta|enfermo|
  enferma|asqueroso|asquerosa|miserable|infeliz|ojete|mugroso|mugrosa|muerto
usted|ustedes es|son un|una|unos|unas|tan? rata|ratas|basura|inutil|inutiles|ignorante|ignorantes|
  bestia|bestias|burro|burra|burros|animal|animales|bobo|boba|bobos|tonto|tonta|tontos|payaso|
  payasos|ladron|ladrona|ladrones|ratero|rateros|sinverguenza|sinverguenzas|caradura|caraduras|
  asqueroso|asquerosa|miserable|miserables|ojete|ojetes
son unos|unas|todos ..1 forros|chorros|rastreros|inutiles|ignorantes|bestias|ladrones|rateros|
  ratas|sinverguenzas|caraduras|asquerosos|miserables|mugrosos|infelices|ojetes
- son unas ratas de peluche|goma|juguete
que ..1 inutil|ignorante|burro|burra|bestia|animal|forro sos|eres|es usted
basura|mugre|porqueria de persona|gente|ser|tipo|vendedor|vendedora
manga|sarta|bola|tropa|par de ..1 ladrones|chorros|inutiles|ratas|rateros|basuras|burros|cornudos|
  payasos|ignorantes|muertos|forros|garcas
muerto|muerta|muertos de hambre
cornud*
pinche|pinches rateros|ratero|rata|ratas|vendedor|vendedora|vendedores|tienda|dinero|paquete|
  producto|servicio|estafador*|viejo|vieja|gente|empresa|ojete|tramposos
vendedor|vendedora ojete|rata
maldito|maldita|malditos|malditas ladron|ladrona|ladrones|estafador|estafadores|rata|ratas|perro|
  perros
callate|callese|callense|cerra|cierra|cierre el|la hocico|boca|jeta|trompa|pico|orto
vayase|andate|vete|vayanse a|al|para|pa el|la? infierno|diablo|demonio
tenes|tienen|tiene|tengo las|los bolas|pelotas|huevos llenas|llenos|hinchadas|hinchados|al
no|deja|dejen|deje|dejes|paren de? rompas|rompan|romper|rompe|rompa ..2 las|los pelotas|bolas|
  huevos|quinotos|guindas
otari*|babac*|escrot*|desgracad*|vagabund*|pilantra|pilantras|safad*|canalha|canalhas|retardad*|
  vadia|vadias|viado|viados|baitola|boiola|cabrao|cabroes|paneleiro|paneleiros|cona
seu|sua|seus|suas ..1 corno|cornos|ladrao|ladra|ladroes|burro|burra|burros|burras|imundo|imunda|
  imundos|verme|vermes|nojento|nojenta|nojentos|golpista|golpistas|palhaco|palhacos|bicha|jumento|
  jumenta|merdinha|trouxa|trouxas|incompetente|incompetentes|ignorante|ignorantes
seu|sua lixo
- no|do|ao|o|para|pro seu|sua lixo
voce|vc|voces|vcs|tu e|sao|es um|uma|uns|umas|muito|tudo|todos? burro|burra|burros|ladrao|ladra|
  ladroes|lixo|lixos|ignorante|ignorantes|palhaco|palhacos|nojento|nojenta|nojentos|jumento|
  golpista|golpistas|corno|trouxa
sao ..1 uns|todos|tudo ladroes|golpistas|palhacos|bandidos|ratos
bando|corja|cambada|quadrilha|raca de|do ..2 ladrao|ladroes|lixo|picaretas|incompetentes|burros|
  golpistas|bandidos|palhacos|animais|ratos|trouxas
cala|cale|calem ..1 boca|bico|matraca
vai|vao|va|vem se|te ferrar|danar|lascar|catar|foder|fuder
vai|va|vao pra|pro|para|a|ao o|a? inferno|puta|caralho|diabo
nao enche|encha|enchas|encham ..1 saco|paciencia
para|pare|parem de encher ..1 saco
encheu|enche|enchem ..1 meu|o saco
- enche|encheu|enchem ..1 saco de|com|plastico
macaco|macaca imundo|imunda|fedido|fedida|sujo|suja
negro|negra|negros|indio|india|indios|bolita|gordo|gorda|viejo|vieja|judio asqueroso|asquerosa|
  sucio|sucia|inmundo|inmunda
- negro|negra ..1 sucio|sucia

[language.insult-mx MLM]
pinche|pinches
- pinche|pinches de cocina

[language.threat]
ojala|espero ..3 mueras|mueran|muera|murieras|pudras|pudran
- ojala|espero ..1 no ..2 muera|mueran|mueras
tomara|espero que ..2 morra|morram|apodreca|apodrecam
- tomara|espero que nao ..2 morra|morram
te|le|los|las|les|vos voy|vamos|van a matar|cagar|reventar|moler|fajar|madrear|golpear|apuñalar|
  linchar|acribillar|desfigurar|ahorcar|cagar|recagar
te|le|les|los voy|vamos a romper|partir|quebrar|reventar la|el|los|las|toda|todo|tu ..1 cara|boca|
  jeta|alma|dientes|piernas|huesos|cabeza|hocico|trompa
se|sabemos|averigue donde|adonde vivis|vives|vive|viven|trabajas
- no se|sabemos donde vive|viven|vivis|vives
cuidate|cuidese|cuidado la|las|con|tu espalda|espaldas
vas|van a ver lo que te|les|le pasa|espera|va
vas|van a terminar|amanecer|aparecer muerto|muerta|muertos
vou|vamos|irei ..2 te|lhe|vos|voce|voces matar|quebrar|arrebentar|bater|socar|espancar|estourar
te|lhe|vos mato|arrebento|esfolo|espanco
vou|vamos ..3 quebrar|arrebentar|estourar|rebentar ..1 sua|tua|a|seus|teus cara|focinho|boca|
  dentes|pernas
sei|sabemos onde voce|voces|tu|vc? mora|moras|moram|trabalha|vive
- nao sei|sabemos onde voce|voces? mora|moram|vive
te dar|dou uma|um? surra|soco|tiro|facada

[language.sexual]
foto|fotos|video ..1 tuya|tuyas|tuyo|sua|suas|tua|tuas ..2 desnuda|desnudo|nua|nu|nuas|pelada|
  pelado|encuerada|calata
foto|fotos desnuda|nua|encuerada
mandame|manda|pasame|pasa|envia|enviame|troco ..1 nudes
tener|hacer|fazer|ter sexo contigo|comigo|conmigo|com|con
quiero|quero|vamos|te follar|follarte|cogerte|garcharte|culearte|culear|transar|trepar
oi|ola|ei|hola gostosa|gostosona|mamacita|mamasita
mostrame|muestrame|mostra|mostre ..1 tetas|peitos|bunda|chichis
`
