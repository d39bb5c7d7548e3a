import { inLanguages } from '../i18n/text.ts'

/** Texts of the shared components. */
export const translations = inLanguages({
  en: {
    copy: 'Copy',
    copied: 'Copied',
    loading: 'Loading…',
    failed: 'Something went wrong',
    again: 'Try again',
    unreachable:
      'The service did not respond. Check that it is running (“npm start”), then try again.',
    notIdentified: 'Your session has expired. Sign in again.',
    notYours: 'It does not exist, or you do not have access to it.',
    tooMany: 'You have made too many requests. Wait a minute, then try again.',
    defect: 'The service failed. For details, look up request {id} in its log.',
    more: 'Show more',
    close: 'Close',
    shownOnce: 'Copy this value now. You will not be able to see it again.',
    cancel: 'Cancel',
  },
  es: {
    copy: 'Copiar',
    copied: 'Copiado',
    loading: 'Cargando…',
    failed: 'Algo salió mal',
    again: 'Reintentar',
    unreachable:
      'El servicio no respondió. Comprueba que esté en ejecución (“npm start”) y vuelve a intentarlo.',
    notIdentified: 'Tu sesión venció. Vuelve a iniciar sesión.',
    notYours: 'No existe o no tienes acceso.',
    tooMany: 'Hiciste demasiadas solicitudes. Espera un minuto y vuelve a intentarlo.',
    defect: 'El servicio falló. Para ver los detalles, busca la solicitud {id} en el registro.',
    more: 'Mostrar más',
    close: 'Cerrar',
    shownOnce: 'Copia este valor ahora. No podrás volver a verlo.',
    cancel: 'Cancelar',
  },
  pt: {
    copy: 'Copiar',
    copied: 'Copiado',
    loading: 'Carregando…',
    failed: 'Algo deu errado',
    again: 'Tentar novamente',
    unreachable:
      'O serviço não respondeu. Verifique se ele está em execução (“npm start”) e tente novamente.',
    notIdentified: 'Sua sessão expirou. Entre novamente.',
    notYours: 'Não existe ou você não tem acesso.',
    tooMany: 'Você fez requisições demais. Aguarde um minuto e tente novamente.',
    defect: 'O serviço falhou. Para ver os detalhes, procure a requisição {id} no log.',
    more: 'Mostrar mais',
    close: 'Fechar',
    shownOnce: 'Copie este valor agora. Você não poderá vê-lo novamente.',
    cancel: 'Cancelar',
  },
})
