import type { Translations } from '../../http/pages/language.ts'
import type { ClientScope } from '../../http/scopes.ts'

/** What the page says on which a user decides. */
export const translations: Translations<
  'title' | 'asks' | ClientScope | 'allow' | 'deny' | 'leads' | 'undo' | 'as' | 'notYou'
> = {
  es: {
    title: 'Autorizar',
    asks: 'Esta aplicación podrá:',
    read: 'ver tus ventas, compras, mensajes y datos de la cuenta',
    write: 'modificar tus publicaciones y ventas, y enviar mensajes',
    offline_access: 'mantener el acceso cuando no estés en línea',
    allow: 'Autorizar',
    deny: 'Cancelar',
    leads: 'Después volverás a',
    undo: 'Puedes revocar el acceso en tu cuenta cuando quieras.',
    as: 'Iniciaste sesión como',
    notYou: '¿No eres tú? Cerrar sesión',
  },
  pt: {
    title: 'Autorizar',
    asks: 'Este aplicativo poderá:',
    read: 'ver suas vendas, compras, mensagens e dados da conta',
    write: 'alterar seus anúncios e vendas e enviar mensagens',
    offline_access: 'continuar fazendo isso quando você não estiver conectado',
    allow: 'Autorizar',
    deny: 'Cancelar',
    leads: 'Depois você voltará para',
    undo: 'Você pode revogar o acesso na sua conta quando quiser.',
    as: 'Você entrou como',
    notYou: 'Não é você? Sair',
  },
  en: {
    title: 'Authorize',
    asks: 'This application will be able to:',
    read: 'see your sales, purchases, messages and account details',
    write: 'change your listings and sales, and send messages',
    offline_access: 'keep access when you are offline',
    allow: 'Authorize',
    deny: 'Cancel',
    leads: 'You will return to',
    undo: 'You can revoke access in your account at any time.',
    as: 'Signed in as',
    notYou: 'Not you? Sign out',
  },
}
