import { inLanguages } from '../../../i18n/text.ts'

/** What to do about refusals of sensitive operations, by the code of the error. */
export const refusalTranslations = inLanguages({
  en: {
    permission_denied:
      'You cannot give or change permissions that you lack. Ask an operator with more permissions.',
    account_required: 'Sign out, then sign in with an operator account.',
    last_owner: 'Give another active account the role owner first.',
    owner_required: 'Invite an owner and let them accept the invitation first.',
    role_in_use: 'Give the accounts and API keys with this role another one first.',
    id_taken: 'Use another email, or change the account that has it.',
  },
  es: {
    permission_denied:
      'No puedes dar ni cambiar permisos que no tienes. Pídelo a un operador con más permisos.',
    account_required: 'Cierra sesión y vuelve a iniciarla con una cuenta de operador.',
    last_owner: 'Asigna primero el rol owner a otra cuenta activa.',
    owner_required: 'Invita primero a un propietario y espera a que acepte la invitación.',
    role_in_use: 'Asigna primero otro rol a las cuentas y claves de API que tienen este.',
    id_taken: 'Usa otro correo electrónico o cambia la cuenta que lo tiene.',
  },
  pt: {
    permission_denied:
      'Você não pode dar nem alterar permissões que não tem. Peça a um operador com mais permissões.',
    account_required: 'Saia e entre com uma conta de operador.',
    last_owner: 'Dê primeiro a função owner a outra conta ativa.',
    owner_required: 'Convide primeiro um proprietário e espere que ele aceite o convite.',
    role_in_use: 'Dê primeiro outra função às contas e chaves de API que têm esta.',
    id_taken: 'Use outro e-mail ou altere a conta que o tem.',
  },
})
