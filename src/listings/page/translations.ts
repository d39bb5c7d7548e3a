import type { Language, Translations } from '../../http/pages/language.ts'

/** Texts of the page of a listing. */

export const translations: Translations<
  | 'seller'
  | 'condition'
  | 'new'
  | 'used'
  | 'not_specified'
  | 'available'
  | 'paused'
  | 'closed'
  | 'description'
  | 'attributes'
  | 'variations'
  | 'picture'
  | 'noPrice'
  | 'missing'
  | 'missingLead'
> = {
  es: {
    seller: 'Vendedor',
    condition: 'Condición',
    new: 'Nuevo',
    used: 'Usado',
    not_specified: 'No especificado',
    available: 'Disponibles',
    paused: 'Esta publicación está pausada.',
    closed: 'Esta publicación finalizó.',
    description: 'Descripción',
    attributes: 'Características',
    variations: 'Variantes',
    picture: 'Foto',
    noPrice: 'Precio a convenir',
    missing: 'Publicación no encontrada',
    missingLead: 'Revisa la dirección. Es posible que el vendedor haya eliminado la publicación.',
  },
  pt: {
    seller: 'Vendedor',
    condition: 'Condição',
    new: 'Novo',
    used: 'Usado',
    not_specified: 'Não especificado',
    available: 'Disponíveis',
    paused: 'Este anúncio está pausado.',
    closed: 'Este anúncio foi finalizado.',
    description: 'Descrição',
    attributes: 'Características',
    variations: 'Variações',
    picture: 'Foto',
    noPrice: 'Preço a combinar',
    missing: 'Anúncio não encontrado',
    missingLead: 'Confira o endereço. O vendedor pode ter excluído o anúncio.',
  },
  en: {
    seller: 'Seller',
    condition: 'Condition',
    new: 'New',
    used: 'Used',
    not_specified: 'Not specified',
    available: 'Available',
    paused: 'This listing is paused.',
    closed: 'This listing has ended.',
    description: 'Description',
    attributes: 'Attributes',
    variations: 'Variations',
    picture: 'Picture',
    noPrice: 'Price on request',
    missing: 'Listing not found',
    missingLead: 'Check the address. The seller may have deleted the listing.',
  },
}

/** Returns a condition in the reader's language. A condition of the operator's own stays as it is. */
export function conditionName(condition: string, language: Language): string {
  switch (condition) {
    case 'new':
    case 'used':
    case 'not_specified':
      return translations[language][condition]
    default:
      return condition
  }
}
