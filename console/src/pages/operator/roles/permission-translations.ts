import type { OperatorPermission } from '../../../api/types.ts'

type Language = 'en' | 'es' | 'pt'

/** What each permission allows, in English as the API says it. A permission without a translation does not compile. */
export const permissionTranslations: Readonly<
  Record<Language, Readonly<Record<OperatorPermission, string>>>
> = {
  en: {
    'orders:read': 'Read orders and shipments',
    'orders:write':
      'Create orders with all their amounts, change and cancel them, and change shipments. Later, what was paid takes finance:write too',
    'finance:read': 'Read reports of sales and refunds, and currency rates',
    'finance:write':
      'Record payments and invoices, and set currency rates. With orders:write, also change taxes of orders and set statuses that say what was paid',
    'claims:read': 'Read claims',
    'claims:write': 'Open and change claims',
    'messages:read': 'Read conversations and their files',
    'messages:write': 'Block and open conversations',
    'questions:read': 'Read questions',
    'questions:write': 'Change and delete questions',
    'moderation:read':
      'Read rules, terms and decisions of moderation, with the contact data that was found in texts',
    'moderation:write': 'Change rules and terms of moderation, and release messages',
    'listings:read': 'Read listings and how the search ranks them',
    'listings:write': 'Create and change listings, their pictures and quotations',
    'catalog:read': 'Read catalog versions and synonyms',
    'catalog:write': 'Import and activate catalog versions, and change synonyms',
    'users:read': 'Read users',
    'users:write': 'Create and change users, and end their authorizations and tokens',
    'exports:download':
      'Download orders, payments, shipments and claims whole, with the persons in them',
    'personal-data:export': 'Export everything about a user, all users and all messages',
    'personal-data:erase': 'Erase the personal data of users',
    'users:credentials':
      'Set passwords of users, issue their tokens and authorize applications for them',
    'applications:read': 'Read applications and their grants',
    'applications:write': 'Create and change applications and their secrets',
    'deliveries:read': 'Read notifications and delivery queues',
    'deliveries:write': 'Change delivery queues, and retry and replay notifications',
    'imports:write': 'Import history',
    'jobs:read': 'Read jobs. Their files take the permission of the same work too',
    'jobs:write': 'Start, cancel and retry jobs. Each takes the permission of the same work too',
    'metrics:read': 'Read metrics',
    'audit:read': 'Read and export the audit log',
    'accounts:manage': 'Manage accounts and roles of operators, and switch the operator token',
    'keys:manage': 'Create, rotate and revoke API keys',
    'sandbox:read': 'Read the state of a sandbox',
    'sandbox:write': 'Change the clock, the faults and the data of a sandbox',
  },
  es: {
    'orders:read': 'Ver órdenes y envíos',
    'orders:write':
      'Crear órdenes con todos sus montos, cambiarlas y cancelarlas, y cambiar envíos. Después, lo que se pagó requiere también finance:write',
    'finance:read': 'Ver informes de ventas y reembolsos, y tipos de cambio',
    'finance:write':
      'Registrar pagos y facturas, y definir tipos de cambio. Con orders:write, también cambiar impuestos de órdenes y poner estados que dicen lo que se pagó',
    'claims:read': 'Ver reclamos',
    'claims:write': 'Abrir y cambiar reclamos',
    'messages:read': 'Ver conversaciones y sus archivos',
    'messages:write': 'Bloquear y abrir conversaciones',
    'questions:read': 'Ver preguntas',
    'questions:write': 'Cambiar y eliminar preguntas',
    'moderation:read':
      'Ver reglas, términos y decisiones de moderación, con los datos de contacto hallados en textos',
    'moderation:write': 'Cambiar reglas y términos de moderación, y liberar mensajes',
    'listings:read': 'Ver publicaciones y cómo las ordena la búsqueda',
    'listings:write': 'Crear y cambiar publicaciones, sus imágenes y cotizaciones',
    'catalog:read': 'Ver versiones del catálogo y sinónimos',
    'catalog:write': 'Importar y activar versiones del catálogo, y cambiar sinónimos',
    'users:read': 'Ver usuarios',
    'users:write': 'Crear y cambiar usuarios, y terminar sus autorizaciones y tokens',
    'exports:download':
      'Descargar órdenes, pagos, envíos y reclamos completos, con las personas que figuran en ellos',
    'personal-data:export':
      'Exportar todo sobre un usuario, todos los usuarios y todos los mensajes',
    'personal-data:erase': 'Borrar los datos personales de usuarios',
    'users:credentials':
      'Definir contraseñas de usuarios, emitir sus tokens y autorizar aplicaciones en su nombre',
    'applications:read': 'Ver aplicaciones y sus autorizaciones',
    'applications:write': 'Crear y cambiar aplicaciones y sus secretos',
    'deliveries:read': 'Ver notificaciones y colas de entrega',
    'deliveries:write': 'Cambiar colas de entrega, y reintentar y reenviar notificaciones',
    'imports:write': 'Importar el historial',
    'jobs:read': 'Ver tareas. Sus archivos requieren además el permiso del mismo trabajo',
    'jobs:write':
      'Iniciar, cancelar y reintentar tareas. Cada una requiere además el permiso del mismo trabajo',
    'metrics:read': 'Ver métricas',
    'audit:read': 'Ver y exportar el registro de auditoría',
    'accounts:manage':
      'Administrar cuentas y roles de operadores, y activar o desactivar el token de operador',
    'keys:manage': 'Crear, rotar y revocar claves de API',
    'sandbox:read': 'Ver el estado de un sandbox',
    'sandbox:write': 'Cambiar el reloj, las fallas y los datos de un sandbox',
  },
  pt: {
    'orders:read': 'Ver pedidos e envios',
    'orders:write':
      'Criar pedidos com todos os seus valores, alterá-los e cancelá-los, e alterar envios. Depois, o que foi pago requer também finance:write',
    'finance:read': 'Ver relatórios de vendas e reembolsos, e taxas de câmbio',
    'finance:write':
      'Registrar pagamentos e notas fiscais, e definir taxas de câmbio. Com orders:write, também alterar impostos de pedidos e definir status que dizem o que foi pago',
    'claims:read': 'Ver reclamações',
    'claims:write': 'Abrir e alterar reclamações',
    'messages:read': 'Ver conversas e seus arquivos',
    'messages:write': 'Bloquear e abrir conversas',
    'questions:read': 'Ver perguntas',
    'questions:write': 'Alterar e excluir perguntas',
    'moderation:read':
      'Ver regras, termos e decisões de moderação, com os dados de contato encontrados em textos',
    'moderation:write': 'Alterar regras e termos de moderação, e liberar mensagens',
    'listings:read': 'Ver anúncios e como a busca os ordena',
    'listings:write': 'Criar e alterar anúncios, suas imagens e cotações',
    'catalog:read': 'Ver versões do catálogo e sinônimos',
    'catalog:write': 'Importar e ativar versões do catálogo, e alterar sinônimos',
    'users:read': 'Ver usuários',
    'users:write': 'Criar e alterar usuários, e encerrar suas autorizações e tokens',
    'exports:download':
      'Baixar pedidos, pagamentos, envios e reclamações por inteiro, com as pessoas neles',
    'personal-data:export':
      'Exportar tudo sobre um usuário, todos os usuários e todas as mensagens',
    'personal-data:erase': 'Apagar os dados pessoais de usuários',
    'users:credentials':
      'Definir senhas de usuários, emitir seus tokens e autorizar aplicativos em nome deles',
    'applications:read': 'Ver aplicativos e suas autorizações',
    'applications:write': 'Criar e alterar aplicativos e seus segredos',
    'deliveries:read': 'Ver notificações e filas de entrega',
    'deliveries:write': 'Alterar filas de entrega, e tentar de novo e reenviar notificações',
    'imports:write': 'Importar o histórico',
    'jobs:read': 'Ver tarefas. Seus arquivos exigem também a permissão do mesmo trabalho',
    'jobs:write':
      'Iniciar, cancelar e repetir tarefas. Cada uma exige também a permissão do mesmo trabalho',
    'metrics:read': 'Ver métricas',
    'audit:read': 'Ver e exportar o registro de auditoria',
    'accounts:manage':
      'Gerenciar contas e funções de operadores, e ativar ou desativar o token de operador',
    'keys:manage': 'Criar, rotacionar e revogar chaves de API',
    'sandbox:read': 'Ver o estado de um sandbox',
    'sandbox:write': 'Alterar o relógio, as falhas e os dados de um sandbox',
  },
}
