import type { Translations } from '../../http/pages/language.ts'
import type { ClientScope } from '../../http/scopes.ts'

/** The texts of the consent page. */
export const words: Translations<
  'title' | 'asks' | ClientScope | 'allow' | 'deny' | 'leads' | 'undo' | 'as' | 'notYou'
> = {
  es: {
    title: 'Dar acceso a',
    asks: 'Esta aplicación podrá, en tu nombre:',
    read: 'ver tus ventas, compras, mensajes y datos de la cuenta',
    write: 'cambiar tus publicaciones y ventas, y escribir mensajes',
    offline_access: 'seguir haciéndolo cuando no estés aquí',
    allow: 'Permitir',
    deny: 'No permitir',
    leads: 'Después vuelves a',
    undo: 'Puedes quitarle el acceso cuando quieras, en tu cuenta.',
    as: 'Iniciaste sesión como',
    notYou: 'No soy yo: cerrar sesión',
  },
  pt: {
    title: 'Dar acesso a',
    asks: 'Este aplicativo poderá, em seu nome:',
    read: 'ver suas vendas, compras, mensagens e dados da conta',
    write: 'mudar seus anúncios e vendas, e escrever mensagens',
    offline_access: 'continuar fazendo isso quando você não estiver aqui',
    allow: 'Permitir',
    deny: 'Não permitir',
    leads: 'Depois você volta para',
    undo: 'Você pode retirar o acesso quando quiser, na sua conta.',
    as: 'Você entrou como',
    notYou: 'Não sou eu: sair da conta',
  },
  en: {
    title: 'Give access to',
    asks: 'This application will be able, in your name, to:',
    read: 'see your sales, purchases, messages and account',
    write: 'change your listings and sales, and write messages',
    offline_access: 'go on doing so while you are not here',
    allow: 'Allow',
    deny: 'Do not allow',
    leads: 'After that you go back to',
    undo: 'You can take access away whenever you like, in your account.',
    as: 'You are signed in as',
    notYou: 'That is not me: sign out',
  },
}
