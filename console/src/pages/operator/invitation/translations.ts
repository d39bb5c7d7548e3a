import { inLanguages } from '../../../i18n/text.ts'

export const translations = inLanguages({
  en: {
    title: 'Accept your invitation',
    lead: 'Set a password for your operator account. You are signed in afterwards.',
    password: 'New password',
    passwordHint: '12 to 200 characters',
    accept: 'Set password and sign in',
    replacesSession:
      'You are signed in as an operator in this tab. When you accept, you are signed out there first.',
    incomplete: 'This link is incomplete',
    incompleteLead:
      'Copy the whole link from the message that you got, up to its last character, and open it again.',
    unusable: 'This invitation can no longer be used',
    unusableLead:
      'An invitation is accepted once, within three days, and a newer one replaces it. If you have already set your password, sign in. Otherwise ask the person who invited you for a new link.',
    accepted: 'Your password is set',
    acceptedLead: 'Signing in did not work at once. Sign in with {email} and your new password.',
    signIn: 'Go to sign-in',
  },
  es: {
    title: 'Acepta tu invitación',
    lead: 'Define una contraseña para tu cuenta de operador. Después se iniciará tu sesión.',
    password: 'Contraseña nueva',
    passwordHint: 'De 12 a 200 caracteres',
    accept: 'Definir contraseña e iniciar sesión',
    replacesSession:
      'Iniciaste sesión como operador en esta pestaña. Al aceptar, esa sesión se cierra primero.',
    incomplete: 'Este enlace está incompleto',
    incompleteLead:
      'Copia el enlace completo del mensaje que recibiste, hasta el último carácter, y ábrelo otra vez.',
    unusable: 'Esta invitación ya no se puede usar',
    unusableLead:
      'Una invitación se acepta una sola vez, dentro de tres días, y una más nueva la reemplaza. Si ya definiste tu contraseña, inicia sesión. Si no, pide un enlace nuevo a quien te invitó.',
    accepted: 'Tu contraseña está definida',
    acceptedLead:
      'No se pudo iniciar sesión de inmediato. Inicia sesión con {email} y tu contraseña nueva.',
    signIn: 'Ir al inicio de sesión',
  },
  pt: {
    title: 'Aceite seu convite',
    lead: 'Defina uma senha para sua conta de operador. Depois disso, você já entra.',
    password: 'Nova senha',
    passwordHint: 'De 12 a 200 caracteres',
    accept: 'Definir senha e entrar',
    replacesSession:
      'Você entrou como operador nesta aba. Ao aceitar, essa sessão é encerrada primeiro.',
    incomplete: 'Este link está incompleto',
    incompleteLead:
      'Copie o link inteiro da mensagem que você recebeu, até o último caractere, e abra-o de novo.',
    unusable: 'Este convite não pode mais ser usado',
    unusableLead:
      'Um convite é aceito uma única vez, em até três dias, e um mais novo o substitui. Se você já definiu sua senha, entre. Caso contrário, peça um novo link a quem convidou você.',
    accepted: 'Sua senha foi definida',
    acceptedLead: 'Não foi possível entrar de imediato. Entre com {email} e sua nova senha.',
    signIn: 'Ir para o login',
  },
})
