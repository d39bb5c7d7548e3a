import type { Translations } from '../../http/pages/language.ts'

/** What the pages of signing in and of one's account say. */
export const translations: Translations<
  | 'signIn'
  | 'login'
  | 'password'
  | 'enter'
  | 'refused'
  | 'tooMany'
  | 'account'
  | 'signedInAs'
  | 'leave'
  | 'applications'
  | 'none'
  | 'end'
  | 'since'
> = {
  es: {
    signIn: 'Iniciar sesión',
    login: 'Apodo o correo electrónico',
    password: 'Contraseña',
    enter: 'Iniciar sesión',
    refused:
      'El apodo, el correo electrónico o la contraseña son incorrectos. Vuelve a intentarlo.',
    tooMany: 'Hubo demasiados intentos. Espera unos minutos y vuelve a intentarlo.',
    account: 'Tu cuenta',
    signedInAs: 'Iniciaste sesión como',
    leave: 'Cerrar sesión',
    applications: 'Aplicaciones autorizadas',
    none: 'Aún no autorizaste ninguna aplicación.',
    end: 'Revocar el acceso de',
    since: 'desde el',
  },
  pt: {
    signIn: 'Entrar',
    login: 'Apelido ou e-mail',
    password: 'Senha',
    enter: 'Entrar',
    refused: 'Apelido, e-mail ou senha incorretos. Tente novamente.',
    tooMany: 'Muitas tentativas. Aguarde alguns minutos e tente novamente.',
    account: 'Sua conta',
    signedInAs: 'Você entrou como',
    leave: 'Sair',
    applications: 'Aplicativos autorizados',
    none: 'Você ainda não autorizou nenhum aplicativo.',
    end: 'Revogar o acesso de',
    since: 'desde',
  },
  en: {
    signIn: 'Sign in',
    login: 'Nickname or email',
    password: 'Password',
    enter: 'Sign in',
    refused: 'Incorrect nickname, email or password. Try again.',
    tooMany: 'Too many attempts. Wait a few minutes, then try again.',
    account: 'Your account',
    signedInAs: 'Signed in as',
    leave: 'Sign out',
    applications: 'Authorized applications',
    none: 'You have not authorized any applications.',
    end: 'Revoke access for',
    since: 'since',
  },
}
