/** What each operation does, in Spanish and Portuguese. The API describes itself in English. */
const summaries: Readonly<Record<string, readonly [es: string, pt: string]>> = {
  'GET /': [
    'Obtener el nombre, la versión y el modo del servicio',
    'Obter o nome, a versão e o modo do serviço',
  ],
  'GET /.well-known/oauth-authorization-server': [
    'Obtener los metadatos del servidor OAuth',
    'Obter os metadados do servidor OAuth',
  ],
  'POST /account': [
    'Revocar el acceso de una aplicación en el navegador',
    'Revogar o acesso de um aplicativo no navegador',
  ],
  'GET /account': ['Mostrar la página de la cuenta', 'Mostrar a página da conta'],
  'POST /answers': [
    'Responder una pregunta de tu publicación',
    'Responder a uma pergunta do seu anúncio',
  ],
  'POST /applications': ['Crear una aplicación', 'Criar um aplicativo'],
  'GET /applications': ['Listar tus aplicaciones', 'Listar seus aplicativos'],
  'GET /applications/{application_id}': ['Obtener una aplicación', 'Obter um aplicativo'],
  'PUT /applications/{application_id}': ['Actualizar tu aplicación', 'Atualizar seu aplicativo'],
  'POST /applications/{application_id}/secret': [
    'Crear un secreto nuevo para tu aplicación',
    'Criar um novo segredo para seu aplicativo',
  ],
  'POST /applications/{application_id}/tokens': [
    'Crear un token de tu aplicación para tu cuenta',
    'Criar um token do seu aplicativo para sua conta',
  ],
  'GET /authorization': ['Mostrar la página de autorización', 'Mostrar a página de autorização'],
  'POST /authorization': ['Enviar la decisión del usuario', 'Enviar a decisão do usuário'],
  'POST /catalog_domains/{domain_id}/attributes/{attribute_id}/top_values': [
    'Listar los valores más usados de un atributo',
    'Listar os valores mais usados de um atributo',
  ],
  'GET /collections/{payment_id}': ['Obtener un pago', 'Obter um pagamento'],
  'GET /currency_conversions/search': [
    'Obtener la conversión entre dos monedas',
    'Obter a conversão entre duas moedas',
  ],
  'PUT /feedback/{feedback_id}': ['Modificar tu calificación', 'Alterar sua avaliação'],
  'GET /feedback/{feedback_id}': ['Obtener una calificación', 'Obter uma avaliação'],
  'POST /feedback/{feedback_id}/reply': [
    'Responder a una calificación',
    'Responder a uma avaliação',
  ],
  'GET /health/live': ['Comprobar si el proceso está activo', 'Verificar se o processo está ativo'],
  'GET /health/ready': [
    'Comprobar si el servicio está listo',
    'Verificar se o serviço está pronto',
  ],
  'POST /items': ['Crear una publicación', 'Criar um anúncio'],
  'GET /items': ['Obtener varias publicaciones', 'Obter vários anúncios'],
  'PUT /items/{item_id}': ['Actualizar tu publicación', 'Atualizar seu anúncio'],
  'GET /items/{item_id}': ['Obtener una publicación', 'Obter um anúncio'],
  'GET /listings/{item_id}': [
    'Mostrar la página de una publicación',
    'Mostrar a página de um anúncio',
  ],
  'POST /login': ['Iniciar sesión', 'Entrar'],
  'GET /login': ['Mostrar la página de inicio de sesión', 'Mostrar a página de login'],
  'POST /logout': ['Cerrar sesión', 'Sair'],
  'POST /messages': [
    'Enviar un mensaje (formato anterior)',
    'Enviar uma mensagem (formato antigo)',
  ],
  'GET /messages/{message_id}': ['Obtener un mensaje', 'Obter uma mensagem'],
  'GET /messages/action_guide/packs/{pack_id}': [
    'Listar las opciones para iniciar una conversación',
    'Listar as opções para iniciar uma conversa',
  ],
  'GET /messages/action_guide/packs/{pack_id}/caps_available': [
    'Obtener los usos restantes de cada opción',
    'Obter os usos restantes de cada opção',
  ],
  'POST /messages/action_guide/packs/{pack_id}/option': [
    'Escribir al comprador con una de las opciones',
    'Escrever ao comprador com uma das opções',
  ],
  'POST /messages/attachments': ['Subir un archivo adjunto', 'Enviar um anexo'],
  'GET /messages/attachments/{attachment_id}': ['Descargar un archivo adjunto', 'Baixar um anexo'],
  'GET /messages/packs/{pack_id}/sellers/{seller_id}': [
    'Obtener la conversación de un pack',
    'Obter a conversa de um pack',
  ],
  'POST /messages/packs/{pack_id}/sellers/{seller_id}': [
    'Enviar un mensaje a la otra parte de un pack',
    'Enviar uma mensagem à outra parte de um pack',
  ],
  'GET /messages/unread': [
    'Contar los mensajes no leídos por conversación',
    'Contar as mensagens não lidas por conversa',
  ],
  'GET /messages/unread/packs/{pack_id}/sellers/{seller_id}': [
    'Contar los mensajes no leídos de una conversación',
    'Contar as mensagens não lidas de uma conversa',
  ],
  'GET /metrics': [
    'Obtener métricas en formato Prometheus',
    'Obter métricas no formato Prometheus',
  ],
  'POST /oauth/revoke': ['Revocar un token', 'Revogar um token'],
  'POST /oauth/token': ['Obtener un token de acceso', 'Obter um token de acesso'],
  'GET /operator/applications': ['Listar las aplicaciones', 'Listar os aplicativos'],
  'GET /operator/applications/{application_id}/deliveries/export': [
    'Exportar una entrega para usarla en pruebas',
    'Exportar uma entrega para usar em testes',
  ],
  'PUT /operator/applications/{id}': [
    'Crear o reemplazar una aplicación',
    'Criar ou substituir um aplicativo',
  ],
  'GET /operator/applications/{id}': ['Obtener una aplicación', 'Obter um aplicativo'],
  'POST /operator/applications/{id}/secret': [
    'Crear un secreto nuevo para una aplicación',
    'Criar um novo segredo para um aplicativo',
  ],
  'GET /operator/catalog/alias_suggestions': [
    'Ver palabras que podrían ser alias',
    'Ver palavras que poderiam ser aliases',
  ],
  'POST /operator/catalog/aliases': [
    'Importar alias de categorías',
    'Importar aliases de categorias',
  ],
  'GET /operator/catalog/export': [
    'Exportar un archivo del catálogo',
    'Exportar um arquivo do catálogo',
  ],
  'POST /operator/catalog/import': ['Importar un catálogo propio', 'Importar um catálogo próprio'],
  'GET /operator/catalog/versions': [
    'Listar las versiones del catálogo',
    'Listar as versões do catálogo',
  ],
  'POST /operator/catalog/versions/{version}/activate': [
    'Activar una versión del catálogo',
    'Ativar uma versão do catálogo',
  ],
  'GET /operator/claims/{id}': ['Obtener cualquier reclamo', 'Obter qualquer reclamação'],
  'PUT /operator/claims/{id}': [
    'Abrir o actualizar un reclamo',
    'Abrir ou atualizar uma reclamação',
  ],
  'POST /operator/clock': ['Adelantar el reloj', 'Adiantar o relógio'],
  'GET /operator/clock': ['Obtener la hora del reloj', 'Obter o horário do relógio'],
  'GET /operator/conversations': [
    'Listar las conversaciones de un vendedor',
    'Listar as conversas de um vendedor',
  ],
  'GET /operator/currency_rates': ['Listar los tipos de cambio', 'Listar as taxas de câmbio'],
  'PUT /operator/currency_rates/{base}/{quote}': [
    'Crear o reemplazar un tipo de cambio',
    'Criar ou substituir uma taxa de câmbio',
  ],
  'GET /operator/deliveries/figures': [
    'Obtener métricas de entregas a lo largo del tiempo',
    'Obter métricas de entregas ao longo do tempo',
  ],
  'PUT /operator/faults': [
    'Simular que faltan campos de las órdenes',
    'Simular a falta de campos dos pedidos',
  ],
  'GET /operator/faults': [
    'Listar los campos de órdenes no disponibles',
    'Listar os campos indisponíveis dos pedidos',
  ],
  'GET /operator/exports/claims': ['Exportar reclamos', 'Exportar reclamações'],
  'GET /operator/exports/listings': ['Exportar publicaciones', 'Exportar anúncios'],
  'GET /operator/exports/messages': ['Exportar mensajes', 'Exportar mensagens'],
  'GET /operator/exports/orders': ['Exportar órdenes', 'Exportar pedidos'],
  'GET /operator/exports/payments': ['Exportar pagos', 'Exportar pagamentos'],
  'GET /operator/exports/shipments': ['Exportar envíos', 'Exportar envios'],
  'GET /operator/exports/users': ['Exportar usuarios', 'Exportar usuários'],
  'GET /operator/reports/claims': [
    'Obtener un informe de reclamos',
    'Obter um relatório de reclamações',
  ],
  'GET /operator/reports/notifications': [
    'Obtener un informe de notificaciones',
    'Obter um relatório de notificações',
  ],
  'GET /operator/reports/refunds': [
    'Obtener un informe de reembolsos',
    'Obter um relatório de reembolsos',
  ],
  'GET /operator/reports/sales': ['Obtener un informe de ventas', 'Obter um relatório de vendas'],
  'POST /operator/import': ['Importar un historial', 'Importar um histórico'],
  'GET /operator/items/{id}/history': [
    'Obtener el historial de una publicación',
    'Obter o histórico de um anúncio',
  ],
  'GET /operator/items/{id}': [
    'Obtener cualquier publicación y su stock',
    'Obter qualquer anúncio e o estoque dele',
  ],
  'PUT /operator/items/{id}': [
    'Crear o reemplazar una publicación',
    'Criar ou substituir um anúncio',
  ],
  'GET /operator/messages/{message_id}': [
    'Obtener cualquier mensaje con su moderación',
    'Obter qualquer mensagem e o resultado da moderação',
  ],
  'POST /operator/messages/{message_id}/overrule': [
    'Liberar un mensaje retenido',
    'Liberar uma mensagem retida',
  ],
  'GET /operator/messages/attachments/{attachment_id}': [
    'Descargar cualquier archivo adjunto',
    'Baixar qualquer anexo',
  ],
  'GET /operator/messages/moderated': [
    'Listar los mensajes retenidos',
    'Listar as mensagens retidas',
  ],
  'POST /operator/moderation/terms': [
    'Bloquear o permitir una palabra o un dominio',
    'Bloquear ou permitir uma palavra ou um domínio',
  ],
  'GET /operator/moderation/terms': [
    'Listar tus palabras y dominios',
    'Listar suas palavras e domínios',
  ],
  'DELETE /operator/moderation/terms/{id}': [
    'Quitar una palabra o un dominio',
    'Remover uma palavra ou um domínio',
  ],
  'GET /operator/moderation/rules': [
    'Contar las decisiones por regla',
    'Contar as decisões por regra',
  ],
  'PUT /operator/moderation/rules/{rule}': [
    'Activar o desactivar una regla de moderación',
    'Ativar ou desativar uma regra de moderação',
  ],
  'POST /operator/moderation/preview': [
    'Probar cambios de la moderación en mensajes pasados',
    'Testar mudanças da moderação em mensagens passadas',
  ],
  'GET /operator/moderation/decisions': [
    'Exportar las decisiones de la moderación',
    'Exportar as decisões da moderação',
  ],
  'GET /operator/audit-log': [
    'Listar las entradas del registro de auditoría',
    'Listar as entradas do registro de auditoria',
  ],
  'GET /operator/audit-log/export': [
    'Exportar el registro de auditoría',
    'Exportar o registro de auditoria',
  ],
  'POST /operator/moderation/try': [
    'Probar la moderación de un texto',
    'Testar a moderação de um texto',
  ],
  'GET /operator/search/synonyms': [
    'Listar tus sinónimos de la búsqueda',
    'Listar seus sinônimos da busca',
  ],
  'POST /operator/search/synonyms': [
    'Agregar o quitar sinónimos de la búsqueda',
    'Adicionar ou remover sinônimos da busca',
  ],
  'DELETE /operator/search/synonyms/{id}': [
    'Deshacer un cambio de sinónimos',
    'Desfazer uma mudança de sinônimos',
  ],
  'GET /operator/search/synonyms/lookup': [
    'Consultar sinónimos de la búsqueda',
    'Consultar sinônimos da busca',
  ],
  'POST /operator/jobs': ['Iniciar un trabajo', 'Iniciar um trabalho'],
  'POST /operator/jobs/import': [
    'Iniciar una importación como trabajo',
    'Iniciar uma importação como trabalho',
  ],
  'GET /operator/jobs': ['Listar trabajos', 'Listar trabalhos'],
  'GET /operator/jobs/{id}': ['Ver un trabajo', 'Ver um trabalho'],
  'POST /operator/jobs/{id}/cancel': ['Cancelar un trabajo', 'Cancelar um trabalho'],
  'POST /operator/jobs/{id}/retry': [
    'Reintentar un trabajo fallido',
    'Tentar de novo um trabalho que falhou',
  ],
  'GET /operator/jobs/{id}/result': [
    'Descargar el archivo de un trabajo',
    'Baixar o arquivo de um trabalho',
  ],
  'POST /operator/orders': [
    'Crear una orden desde un checkout',
    'Criar um pedido a partir de um checkout',
  ],
  'PATCH /operator/orders/{order_id}': ['Actualizar una orden', 'Atualizar um pedido'],
  'GET /operator/orders/{order_id}': ['Obtener cualquier orden', 'Obter qualquer pedido'],
  'GET /operator/orders/{order_id}/history': [
    'Obtener el historial de una orden',
    'Obter o histórico de um pedido',
  ],
  'GET /operator/orders/{order_id}/notifications': [
    'Listar las notificaciones de una orden',
    'Listar as notificações de um pedido',
  ],
  'POST /operator/orders/{order_id}/payments': ['Registrar un pago', 'Registrar um pagamento'],
  'GET /operator/orders/figures': [
    'Contar órdenes por día y vendedor',
    'Contar pedidos por dia e vendedor',
  ],
  'GET /operator/orders': [
    'Buscar las órdenes de todos los usuarios',
    'Buscar os pedidos de todos os usuários',
  ],
  'GET /operator/orders/search': [
    'Buscar las órdenes de cualquier usuario',
    'Buscar os pedidos de qualquer usuário',
  ],
  'PATCH /operator/shipments/{shipping_id}': ['Actualizar un envío', 'Atualizar um envio'],
  'GET /operator/shipments/{shipping_id}': ['Obtener cualquier envío', 'Obter qualquer envio'],
  'POST /operator/tokens': ['Crear un token de acceso', 'Criar um token de acesso'],
  'POST /operator/tokens/revoke': ['Revocar un token de acceso', 'Revogar um token de acesso'],
  'GET /operator/users': ['Listar los usuarios', 'Listar os usuários'],
  'PUT /operator/users/{id}': ['Crear o reemplazar un usuario', 'Criar ou substituir um usuário'],
  'GET /operator/users/{id}/history': [
    'Obtener el historial de un usuario',
    'Obter o histórico de um usuário',
  ],
  'GET /operator/users/{id}': ['Obtener un usuario', 'Obter um usuário'],
  'PUT /operator/users/{id}/password': [
    'Definir o quitar la contraseña de un usuario',
    'Definir ou remover a senha de um usuário',
  ],
  'GET /operator/users/{id}/personal-data': [
    'Exportar los datos personales de un usuario',
    'Exportar os dados pessoais de um usuário',
  ],
  'POST /operator/users/{id}/erasure': [
    'Borrar los datos personales de un usuario',
    'Apagar os dados pessoais de um usuário',
  ],
  'GET /operator/users/{id}/erasure': [
    'Obtener el borrado de un usuario',
    'Obter o apagamento de um usuário',
  ],
  'GET /orders/{order_id}': ['Obtener una orden', 'Obter um pedido'],
  'GET /orders/{order_id}/billing_info': [
    'Obtener los datos de facturación de una orden',
    'Obter os dados de faturamento de um pedido',
  ],
  'GET /orders/{order_id}/discounts': [
    'Listar los descuentos de una orden',
    'Listar os descontos de um pedido',
  ],
  'GET /orders/{order_id}/feedback': [
    'Obtener las calificaciones de una orden',
    'Obter as avaliações de um pedido',
  ],
  'POST /orders/{order_id}/feedback': [
    'Calificar a la otra parte de una orden',
    'Avaliar a outra parte de um pedido',
  ],
  'POST /orders/{order_id}/notes': [
    'Agregar una nota a una orden',
    'Adicionar uma anotação a um pedido',
  ],
  'GET /orders/{order_id}/notes': [
    'Listar tus notas de una orden',
    'Listar suas anotações de um pedido',
  ],
  'DELETE /orders/{order_id}/notes/{note_id}': ['Eliminar una nota', 'Excluir uma anotação'],
  'PUT /orders/{order_id}/notes/{note_id}': ['Modificar una nota', 'Alterar uma anotação'],
  'GET /orders/{order_id}/product': [
    'Obtener los atributos del producto vendido',
    'Obter os atributos do produto vendido',
  ],
  'GET /orders/{order_id}/shipments': [
    'Obtener el envío de una orden',
    'Obter o envio de um pedido',
  ],
  'GET /orders/search': ['Buscar órdenes', 'Buscar pedidos'],
  'GET /packs/{pack_id}': ['Obtener un pack', 'Obter um pack'],
  'GET /pictures/{picture_id}/errors': [
    'Obtener los errores de una foto',
    'Obter os erros de uma foto',
  ],
  'POST /questions': ['Hacer una pregunta al vendedor', 'Fazer uma pergunta ao vendedor'],
  'GET /questions/{question_id}': [
    'Obtener una pregunta con su respuesta',
    'Obter uma pergunta e a resposta',
  ],
  'GET /questions/search': ['Buscar preguntas', 'Buscar perguntas'],
  'GET /quotations/{quotation_id}': ['Obtener una cotización', 'Obter uma cotação'],
  'GET /shipments/{shipping_id}': ['Obtener un envío', 'Obter um envio'],
  'GET /sites/{site_id}/autosuggest': ['Sugerir búsquedas', 'Sugerir buscas'],
  'GET /sites/{site_id}/domain_discovery/search': [
    'Predecir la categoría de un título',
    'Prever a categoria de um título',
  ],
  'GET /users/{user_id}': ['Obtener un usuario', 'Obter um usuário'],
  'GET /users/{user_id}/applications': [
    'Listar las aplicaciones que autorizó un usuario',
    'Listar os aplicativos que um usuário autorizou',
  ],
  'DELETE /users/{user_id}/applications/{app_id}': [
    'Revocar el acceso de una aplicación',
    'Revogar o acesso de um aplicativo',
  ],
  'GET /users/{user_id}/invoices/{invoice_id}': ['Obtener una factura', 'Obter uma nota fiscal'],
  'GET /users/{user_id}/items/search': [
    'Listar los ID de tus publicaciones',
    'Listar os IDs dos seus anúncios',
  ],
  'GET /users/me': ['Obtener tu cuenta', 'Obter sua conta'],
  'POST /users/test_user': ['Crear un usuario de prueba', 'Criar um usuário de teste'],
  'GET /v1/claims/{claim_id}': ['Obtener un reclamo', 'Obter uma reclamação'],
  'GET /post-purchase/v1/claims/{claim_id}': ['Obtener un reclamo', 'Obter uma reclamação'],
  'GET /items/{item_id}/description': [
    'Obtener la descripción de una publicación',
    'Obter a descrição de um anúncio',
  ],
  'POST /items/{item_id}/description': [
    'Crear la descripción de tu publicación',
    'Criar a descrição do seu anúncio',
  ],
  'PUT /items/{item_id}/description': [
    'Crear o reemplazar la descripción de tu publicación',
    'Criar ou substituir a descrição do seu anúncio',
  ],
  'GET /sites': ['Listar los sitios', 'Listar os sites'],
  'GET /sites/{site_id}': ['Obtener un sitio', 'Obter um site'],
  'GET /sites/{site_id}/categories': [
    'Listar las categorías principales de un sitio',
    'Listar as categorias principais de um site',
  ],
  'GET /sites/{site_id}/categories/all': [
    'Descargar todas las categorías de un sitio',
    'Baixar todas as categorias de um site',
  ],
  'GET /categories/{category_id}': ['Obtener una categoría', 'Obter uma categoria'],
  'GET /categories/{category_id}/attributes': [
    'Listar los atributos de una categoría',
    'Listar os atributos de uma categoria',
  ],
  'GET /category_pictures/{file}': [
    'Obtener la imagen de una categoría',
    'Obter a imagem de uma categoria',
  ],
  'GET /sites/{site_id}/search': ['Buscar publicaciones de un sitio', 'Buscar anúncios de um site'],
  'GET /{site_id}/search': [
    'Listar las publicaciones de una categoría',
    'Listar os anúncios de uma categoria',
  ],
  'GET /applications/{application_id}/grants': [
    'Listar los usuarios que autorizaron una aplicación',
    'Listar os usuários que autorizaram um aplicativo',
  ],
  'GET /myfeeds': [
    'Listar las notificaciones de una aplicación',
    'Listar as notificações de um aplicativo',
  ],
  'GET /missed_feeds': [
    'Listar las notificaciones no aceptadas',
    'Listar as notificações não aceitas',
  ],
  'GET /operator/applications/{application_id}/myfeeds': [
    'Listar las notificaciones de una aplicación',
    'Listar as notificações de um aplicativo',
  ],
  'GET /operator/applications/{application_id}/missed_feeds': [
    'Listar las notificaciones no aceptadas',
    'Listar as notificações não aceitas',
  ],
  'GET /applications/{application_id}/listeners': [
    'Listar los receptores de una aplicación',
    'Listar os receptores de um aplicativo',
  ],
  'PUT /applications/{application_id}/listeners/{name}': [
    'Crear o reanudar un receptor',
    'Criar ou retomar um receptor',
  ],
  'GET /applications/{application_id}/listeners/{name}/notifications': [
    'Recibir notificaciones',
    'Receber notificações',
  ],
  'POST /applications/{application_id}/listeners/{name}/ack': [
    'Confirmar la recepción de notificaciones',
    'Confirmar notificações',
  ],
  'POST /applications/{application_id}/listeners/{name}/rewind': [
    'Mover el cursor a un momento determinado',
    'Mover o cursor para um momento',
  ],
  'DELETE /applications/{application_id}/listeners/{name}': [
    'Eliminar un receptor',
    'Excluir um receptor',
  ],
  'GET /applications/{application_id}/notifications/explain': [
    'Explicar por qué se entregó o no una notificación',
    'Explicar por que uma notificação foi ou não entregue',
  ],
  'POST /applications/{application_id}/replays': [
    'Reenviar notificaciones anteriores',
    'Reenviar notificações anteriores',
  ],
  'GET /applications/{application_id}/replays': [
    'Listar los reenvíos de una aplicación',
    'Listar os reenvios de um aplicativo',
  ],
  'GET /applications/{application_id}/replays/{replay_id}': [
    'Obtener un reenvío',
    'Obter um reenvio',
  ],
  'PATCH /applications/{application_id}/replays/{replay_id}': [
    'Pausar, reanudar o cancelar un reenvío',
    'Pausar, retomar ou cancelar um reenvio',
  ],
  'GET /applications/{application_id}/queue': [
    'Obtener la cola de entrega de una aplicación',
    'Obter a fila de entrega de um aplicativo',
  ],
  'PATCH /applications/{application_id}/queue': [
    'Pausar o reanudar las entregas de una aplicación',
    'Pausar ou retomar as entregas de um aplicativo',
  ],
  'POST /applications/{application_id}/notifications/{notification_id}/retry': [
    'Reintentar ahora una notificación',
    'Tentar enviar uma notificação agora',
  ],
  'GET /applications/{application_id}/signing-secrets': [
    'Listar los secretos de firma de una aplicación',
    'Listar os segredos de assinatura de um aplicativo',
  ],
  'POST /applications/{application_id}/signing-secrets': [
    'Crear un secreto de firma',
    'Criar um segredo de assinatura',
  ],
  'PUT /operator/authorizations/{application_id}/{user_id}': [
    'Autorizar una aplicación para un usuario',
    'Autorizar um aplicativo para um usuário',
  ],
  'DELETE /operator/authorizations/{application_id}/{user_id}': [
    'Revocar una autorización',
    'Revogar uma autorização',
  ],
  'PUT /operator/pictures/{picture_id}/errors': [
    'Registrar los errores de una foto',
    'Registrar os erros de uma foto',
  ],
  'DELETE /operator/pictures/{picture_id}/errors': [
    'Quitar los errores de una foto',
    'Remover os erros de uma foto',
  ],
  'PUT /operator/quotations/{quotation_id}': [
    'Crear o reemplazar una cotización',
    'Criar ou substituir uma cotação',
  ],
  'GET /operator/quotations/{quotation_id}': [
    'Obtener cualquier cotización',
    'Obter qualquer cotação',
  ],
  'GET /operator/questions/{question_id}': [
    'Obtener cualquier pregunta',
    'Obter qualquer pergunta',
  ],
  'PATCH /operator/questions/{question_id}': ['Moderar una pregunta', 'Moderar uma pergunta'],
  'DELETE /operator/questions/{question_id}': [
    'Eliminar una pregunta de su publicación',
    'Excluir uma pergunta do anúncio',
  ],
  'PUT /operator/users/{user_id}/invoices/{invoice_id}': [
    'Crear o actualizar una factura',
    'Criar ou atualizar uma nota fiscal',
  ],
  'GET /operator/conversations/packs/{pack_id}/sellers/{seller_id}/history': [
    'Obtener el historial de una conversación',
    'Obter o histórico de uma conversa',
  ],
  'GET /operator/conversations/packs/{pack_id}/sellers/{seller_id}': [
    'Obtener una conversación con sus mensajes retenidos',
    'Obter uma conversa, inclusive as mensagens retidas',
  ],
  'PATCH /operator/conversations/packs/{pack_id}/sellers/{seller_id}': [
    'Bloquear o desbloquear una conversación',
    'Bloquear ou desbloquear uma conversa',
  ],
  'POST /operator/sign-in': ['Iniciar sesión como operador', 'Entrar como operador'],
  'POST /operator/sign-in/openid/begin': [
    'Empezar a iniciar sesión con el proveedor de identidad',
    'Começar a entrar com o provedor de identidade',
  ],
  'POST /operator/sign-in/openid': [
    'Iniciar sesión con el proveedor de identidad',
    'Entrar com o provedor de identidade',
  ],
  'POST /operator/sessions/verify/openid/begin': [
    'Empezar a verificar tu sesión con el proveedor de identidad',
    'Começar a verificar a sua sessão com o provedor de identidade',
  ],
  'POST /operator/sessions/verify/openid': [
    'Verificar tu sesión con el proveedor de identidad',
    'Verificar a sua sessão com o provedor de identidade',
  ],
  'POST /operator/accounts/me/identity/begin': [
    'Empezar a vincular tu cuenta con el proveedor de identidad',
    'Começar a vincular a sua conta ao provedor de identidade',
  ],
  'POST /operator/accounts/me/identity': [
    'Vincular tu cuenta con el proveedor de identidad',
    'Vincular a sua conta ao provedor de identidade',
  ],
  'DELETE /operator/accounts/me/identity': [
    'Quitar el vínculo de tu cuenta con el proveedor de identidad',
    'Remover o vínculo da sua conta com o provedor de identidade',
  ],
  'DELETE /operator/accounts/{id}/identity': [
    'Quitar el vínculo de una cuenta de operador con el proveedor de identidad',
    'Remover o vínculo de uma conta de operador com o provedor de identidade',
  ],
  'GET /operator/sessions': ['Listar tus sesiones', 'Listar as suas sessões'],
  'DELETE /operator/sessions/{session_id}': ['Terminar una sesión tuya', 'Encerrar uma sessão sua'],
  'POST /operator/sessions/verify': ['Verificar tu sesión', 'Verificar a sua sessão'],
  'GET /operator/accounts/me': ['Obtener tu cuenta', 'Obter a sua conta'],
  'PUT /operator/accounts/me/password': ['Cambiar tu contraseña', 'Alterar a sua senha'],
  'POST /operator/accounts/me/two-factor': [
    'Configurar una app de autenticación',
    'Configurar um app de autenticação',
  ],
  'POST /operator/accounts/me/two-factor/confirm': [
    'Confirmar tu app de autenticación',
    'Confirmar o seu app de autenticação',
  ],
  'DELETE /operator/accounts/me/two-factor': [
    'Quitar tu app de autenticación',
    'Remover o seu app de autenticação',
  ],
  'POST /operator/accounts/me/recovery-codes': [
    'Renovar tus códigos de recuperación',
    'Renovar os seus códigos de recuperação',
  ],
  'GET /operator/accounts': ['Listar las cuentas de operadores', 'Listar as contas de operadores'],
  'POST /operator/accounts': ['Invitar a un operador', 'Convidar um operador'],
  'GET /operator/accounts/{id}': [
    'Obtener la cuenta de un operador',
    'Obter a conta de um operador',
  ],
  'PATCH /operator/accounts/{id}': [
    'Cambiar, inhabilitar o habilitar la cuenta de un operador',
    'Alterar, desativar ou ativar a conta de um operador',
  ],
  'DELETE /operator/accounts/{id}': [
    'Eliminar la cuenta de un operador',
    'Excluir a conta de um operador',
  ],
  'POST /operator/accounts/{id}/invitation': [
    'Renovar la invitación de un operador',
    'Renovar o convite de um operador',
  ],
  'GET /operator/accounts/{id}/sessions': [
    'Listar las sesiones de un operador',
    'Listar as sessões de um operador',
  ],
  'DELETE /operator/accounts/{id}/sessions': [
    'Terminar todas las sesiones de un operador',
    'Encerrar todas as sessões de um operador',
  ],
  'POST /operator/invitations/accept': ['Aceptar una invitación', 'Aceitar um convite'],
  'GET /operator/roles': ['Listar los roles', 'Listar os papéis'],
  'PUT /operator/roles/{name}': ['Crear o reemplazar un rol', 'Criar ou substituir um papel'],
  'DELETE /operator/roles/{name}': ['Eliminar un rol', 'Excluir um papel'],
  'GET /operator/keys': ['Listar las claves de API', 'Listar as chaves de API'],
  'POST /operator/keys': ['Crear una clave de API', 'Criar uma chave de API'],
  'POST /operator/keys/{id}/rotate': ['Rotar una clave de API', 'Rotacionar uma chave de API'],
  'DELETE /operator/keys/{id}': ['Revocar una clave de API', 'Revogar uma chave de API'],
  'GET /operator/token': [
    'Obtener el estado del token de operador',
    'Obter o estado do token de operador',
  ],
  'PUT /operator/token': [
    'Activar o desactivar el token de operador',
    'Ativar ou desativar o token de operador',
  ],
  'GET /operator/sandbox/receiver-faults': [
    'Listar las fallas de entrega',
    'Listar as falhas de entrega',
  ],
  'PUT /operator/sandbox/receiver-faults': [
    'Agregar una falla de entrega',
    'Adicionar uma falha de entrega',
  ],
  'DELETE /operator/sandbox/receiver-faults': [
    'Quitar fallas de entrega',
    'Remover falhas de entrega',
  ],
  'GET /operator/sandbox/answer-faults': ['Listar las fallas de la API', 'Listar as falhas da API'],
  'PUT /operator/sandbox/answer-faults/{name}': [
    'Agregar una falla de la API',
    'Adicionar uma falha da API',
  ],
  'DELETE /operator/sandbox/answer-faults/{name}': [
    'Quitar una falla de la API',
    'Remover uma falha da API',
  ],
  'DELETE /operator/sandbox/answer-faults': [
    'Quitar todas las fallas de la API',
    'Remover todas as falhas da API',
  ],
  'GET /operator/sandbox/triggers': [
    'Listar los eventos que se pueden generar',
    'Listar os eventos que podem ser gerados',
  ],
  'POST /operator/sandbox/triggers/{name}': ['Generar un evento', 'Gerar um evento'],
  'POST /operator/sandbox/simulations': ['Iniciar tráfico simulado', 'Iniciar tráfego simulado'],
  'GET /operator/sandbox/simulations': ['Listar las simulaciones', 'Listar as simulações'],
  'GET /operator/sandbox/simulations/{simulation_id}': [
    'Obtener una simulación',
    'Obter uma simulação',
  ],
  'POST /operator/sandbox/simulations/{simulation_id}/stop': [
    'Detener una simulación',
    'Parar uma simulação',
  ],
  'GET /operator/sandbox/snapshots': ['Listar los snapshots', 'Listar os snapshots'],
  'PUT /operator/sandbox/snapshots/{name}': ['Crear un snapshot', 'Criar um snapshot'],
  'POST /operator/sandbox/snapshots/{name}/load': [
    'Restaurar un snapshot',
    'Restaurar um snapshot',
  ],
  'DELETE /operator/sandbox/snapshots/{name}': ['Eliminar un snapshot', 'Excluir um snapshot'],
}

/**
 * Returns the summary of an operation, named as `GET /orders/{order_id}`. An operation of the operator that an
 * application has as well shares its summary. Returns undefined in English, and where there is no translation.
 */
export function operationSummaryOf(
  operation: string,
  language: 'en' | 'es' | 'pt',
): string | undefined {
  if (language === 'en') return undefined
  const [es, pt] = summaries[operation] ?? summaries[operation.replace(' /operator/', ' /')] ?? []
  return language === 'es' ? es : pt
}
