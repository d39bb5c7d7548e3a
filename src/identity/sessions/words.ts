import type { Translations } from '../../http/pages/language.ts'

/** The texts of the sign-in page and the account page. */
export const words: Translations<
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
    enter: 'Entrar',
    refused: 'El usuario o la contraseña no son correctos.',
    tooMany: 'Hubo demasiados intentos. Vuelve a probar en unos minutos.',
    account: 'Tu cuenta',
    signedInAs: 'Iniciaste sesión como',
    leave: 'Cerrar sesión',
    applications: 'Aplicaciones que actúan en tu nombre',
    none: 'Ninguna.',
    end: 'Quitarle el acceso a',
    since: 'desde',
  },
  pt: {
    signIn: 'Entrar na conta',
    login: 'Apelido ou e-mail',
    password: 'Senha',
    enter: 'Entrar',
    refused: 'O usuário ou a senha não estão corretos.',
    tooMany: 'Houve tentativas demais. Tente de novo em alguns minutos.',
    account: 'Sua conta',
    signedInAs: 'Você entrou como',
    leave: 'Sair da conta',
    applications: 'Aplicativos que agem em seu nome',
    none: 'Nenhum.',
    end: 'Retirar o acesso de',
    since: 'desde',
  },
  en: {
    signIn: 'Sign in',
    login: 'Nickname or e-mail',
    password: 'Password',
    enter: 'Sign in',
    refused: 'The user or the password is not right.',
    tooMany: 'There were too many attempts. Try again in a few minutes.',
    account: 'Your account',
    signedInAs: 'You are signed in as',
    leave: 'Sign out',
    applications: 'Applications that act in your name',
    none: 'None.',
    end: 'Take access away from',
    since: 'since',
  },
}
