import { inLanguages } from '../../../i18n/text.ts'

export const identityTranslations = inLanguages({
  en: {
    title: 'Your sign-in',
    lead: 'With a linked account, you can sign in with {name}.',
    link: 'Link your account to {name}',
    linked: 'Your account is linked to {name}.',
    unlink: 'Remove link',
  },
  es: {
    title: 'Tu inicio de sesión',
    lead: 'Con una cuenta vinculada, puedes iniciar sesión con {name}.',
    link: 'Vincular tu cuenta con {name}',
    linked: 'Tu cuenta está vinculada con {name}.',
    unlink: 'Quitar vínculo',
  },
  pt: {
    title: 'Seu acesso',
    lead: 'Com uma conta vinculada, você pode entrar com {name}.',
    link: 'Vincular sua conta a {name}',
    linked: 'Sua conta está vinculada a {name}.',
    unlink: 'Remover vínculo',
  },
})
