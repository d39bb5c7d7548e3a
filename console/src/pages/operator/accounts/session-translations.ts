import { inLanguages } from '../../../i18n/text.ts'

export const sessionTranslations = inLanguages({
  en: {
    title: 'Sessions',
    program: 'Program and network',
    thisSession: 'This session',
    created: 'Opened',
    lastUsed: 'Last used',
    expires: 'Ends',
    actions: 'Actions',
    end: 'End',
    signOut: 'Sign out',
  },
  es: {
    title: 'Sesiones',
    program: 'Programa y red',
    thisSession: 'Esta sesión',
    created: 'Abierta',
    lastUsed: 'Último uso',
    expires: 'Termina',
    actions: 'Acciones',
    end: 'Terminar',
    signOut: 'Cerrar sesión',
  },
  pt: {
    title: 'Sessões',
    program: 'Programa e rede',
    thisSession: 'Esta sessão',
    created: 'Aberta',
    lastUsed: 'Último uso',
    expires: 'Termina',
    actions: 'Ações',
    end: 'Encerrar',
    signOut: 'Sair',
  },
})
