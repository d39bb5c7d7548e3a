import { inLanguages } from '../../../i18n/text.ts'

export const tokenTranslations = inLanguages({
  en: {
    title: 'Operator token',
    lead: 'The token of FERIA_OPERATOR_TOKEN can do everything, and the audit log cannot say who used it. Switch it off once everybody has an account and every program has an API key.',
    on: 'On',
    off: 'Off',
    offSince: 'Since {date}',
    switchOff: 'Switch the token off',
    switchOffLead:
      'Every process refuses the token at once. Programs and people that still use it get errors: command-line tools, scripts and metrics collectors too. Accounts and API keys keep working. An owner can switch it on again.',
    endsOwnAccess: 'You use the token yourself: you are signed out, and sign in with an account.',
    switchOn: 'Switch the token on',
    switchOnLead:
      'Whoever has the token of FERIA_OPERATOR_TOKEN can do everything again, at once and in every process.',
  },
  es: {
    title: 'Token de operador',
    lead: 'El token de FERIA_OPERATOR_TOKEN puede hacer todo, y el registro de auditoría no puede decir quién lo usó. Desactívalo cuando todas las personas tengan una cuenta y todos los programas una clave de API.',
    on: 'Activado',
    off: 'Desactivado',
    offSince: 'Desde el {date}',
    switchOff: 'Desactivar el token',
    switchOffLead:
      'Todos los procesos rechazan el token de inmediato. Los programas y las personas que todavía lo usan reciben errores, también las herramientas de línea de comandos, los scripts y los recolectores de métricas. Las cuentas y las claves de API siguen funcionando. Un propietario puede activarlo otra vez.',
    endsOwnAccess: 'Tú usas el token: se cierra tu sesión y después inicias sesión con una cuenta.',
    switchOn: 'Activar el token',
    switchOnLead:
      'Quien tenga el token de FERIA_OPERATOR_TOKEN podrá hacer todo otra vez, de inmediato y en todos los procesos.',
  },
  pt: {
    title: 'Token de operador',
    lead: 'O token de FERIA_OPERATOR_TOKEN pode fazer tudo, e o registro de auditoria não consegue dizer quem o usou. Desative-o quando todas as pessoas tiverem uma conta e todos os programas uma chave de API.',
    on: 'Ativado',
    off: 'Desativado',
    offSince: 'Desde {date}',
    switchOff: 'Desativar o token',
    switchOffLead:
      'Todos os processos recusam o token na hora. Programas e pessoas que ainda o usam recebem erros, inclusive ferramentas de linha de comando, scripts e coletores de métricas. Contas e chaves de API continuam funcionando. Um proprietário pode ativá-lo de novo.',
    endsOwnAccess: 'Você usa o token: sua sessão termina e depois você entra com uma conta.',
    switchOn: 'Ativar o token',
    switchOnLead:
      'Quem tiver o token de FERIA_OPERATOR_TOKEN poderá fazer tudo de novo, na hora e em todos os processos.',
  },
})
