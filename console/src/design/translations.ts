import { inLanguages } from '../i18n/text.ts'

/** Texts of the shared components. */
export const translations = inLanguages({
  en: {
    copy: 'Copy',
    copied: 'Copied',
    loading: 'Loading…',
    failed: 'The request failed',
    again: 'Try again',
    unreachable:
      'The service did not respond. Check your connection and that the service is running, then try again.',
    notIdentified: 'Your session has expired. Sign in again.',
    notAllowed: 'Your role does not allow this. Ask an owner for a role that does.',
    notYours: 'Check the ID, and check that you have access to it.',
    tooMany: 'You have made too many requests. Wait a minute, then try again.',
    defect:
      'The service failed. Look up request {id} in the service log, or send this ID to the operator.',
    more: 'Show more',
    close: 'Close',
    shownOnce: 'Copy this value now. You will not be able to see it again.',
    cancel: 'Cancel',
    changedMeanwhile: 'Somebody else changed this in the meantime',
    nothingSaved: 'Nothing was saved. Look at the changes before you try again.',
    changedByOthers: 'No operator changed it: a seller, a buyer or the service did.',
    loadPresent: 'Load the present state',
  },
  es: {
    copy: 'Copiar',
    copied: 'Copiado',
    loading: 'Cargando…',
    failed: 'La solicitud falló',
    again: 'Reintentar',
    unreachable:
      'El servicio no respondió. Comprueba tu conexión y que el servicio esté en ejecución, y vuelve a intentarlo.',
    notIdentified: 'Tu sesión venció. Vuelve a iniciar sesión.',
    notAllowed: 'Tu rol no permite esto. Pide a un propietario un rol que lo permita.',
    notYours: 'Comprueba el ID y que tengas acceso.',
    tooMany: 'Hiciste demasiadas solicitudes. Espera un minuto y vuelve a intentarlo.',
    defect:
      'El servicio falló. Busca la solicitud {id} en el registro del servicio o envía este ID al operador.',
    more: 'Mostrar más',
    close: 'Cerrar',
    shownOnce: 'Copia este valor ahora. No podrás volver a verlo.',
    cancel: 'Cancelar',
    changedMeanwhile: 'Otra persona cambió esto mientras tanto',
    nothingSaved: 'No se guardó nada. Revisa los cambios antes de volver a intentarlo.',
    changedByOthers: 'Ningún operador lo cambió: fue un vendedor, un comprador o el servicio.',
    loadPresent: 'Cargar el estado actual',
  },
  pt: {
    copy: 'Copiar',
    copied: 'Copiado',
    loading: 'Carregando…',
    failed: 'A requisição falhou',
    again: 'Tentar novamente',
    unreachable:
      'O serviço não respondeu. Verifique sua conexão e se o serviço está em execução e tente novamente.',
    notIdentified: 'Sua sessão expirou. Entre novamente.',
    notAllowed: 'Sua função não permite isso. Peça a um proprietário uma função que permita.',
    notYours: 'Verifique o ID e se você tem acesso ao recurso.',
    tooMany: 'Você fez requisições demais. Aguarde um minuto e tente novamente.',
    defect:
      'O serviço falhou. Procure a requisição {id} no log do serviço ou envie este ID ao operador.',
    more: 'Mostrar mais',
    close: 'Fechar',
    shownOnce: 'Copie este valor agora. Você não poderá vê-lo novamente.',
    cancel: 'Cancelar',
    changedMeanwhile: 'Outra pessoa alterou isto enquanto isso',
    nothingSaved: 'Nada foi salvo. Veja as alterações antes de tentar novamente.',
    changedByOthers: 'Nenhum operador alterou: foi um vendedor, um comprador ou o serviço.',
    loadPresent: 'Carregar o estado atual',
  },
})
