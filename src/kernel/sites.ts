/** The country sites of contract 2.1, in its order, with what other rooms need to know of each. */
export const sites = {
  MLU: { name: 'Uruguay', country: 'UY', currency: 'UYU', language: 'es' },
  MSV: { name: 'El Salvador', country: 'SV', currency: 'USD', language: 'es' },
  MLV: { name: 'Venezuela', country: 'VE', currency: 'VES', language: 'es' },
  MPA: { name: 'Panamá', country: 'PA', currency: 'PAB', language: 'es' },
  MGT: { name: 'Guatemala', country: 'GT', currency: 'GTQ', language: 'es' },
  MRD: { name: 'Dominicana', country: 'DO', currency: 'DOP', language: 'es' },
  MBO: { name: 'Bolivia', country: 'BO', currency: 'BOB', language: 'es' },
  MCO: { name: 'Colombia', country: 'CO', currency: 'COP', language: 'es' },
  MLB: { name: 'Brasil', country: 'BR', currency: 'BRL', language: 'pt' },
  MEC: { name: 'Ecuador', country: 'EC', currency: 'USD', language: 'es' },
  MHN: { name: 'Honduras', country: 'HN', currency: 'HNL', language: 'es' },
  MPE: { name: 'Perú', country: 'PE', currency: 'PEN', language: 'es' },
  MLA: { name: 'Argentina', country: 'AR', currency: 'ARS', language: 'es' },
  MLC: { name: 'Chile', country: 'CL', currency: 'CLP', language: 'es' },
  MCU: { name: 'Cuba', country: 'CU', currency: 'CUP', language: 'es' },
  MLM: { name: 'Mexico', country: 'MX', currency: 'MXN', language: 'es' },
  MCR: { name: 'Costa Rica', country: 'CR', currency: 'CRC', language: 'es' },
  MPY: { name: 'Paraguay', country: 'PY', currency: 'PYG', language: 'es' },
  MPT: { name: 'Portugal', country: 'PT', currency: 'EUR', language: 'pt' },
  MNI: { name: 'Nicaragua', country: 'NI', currency: 'NIO', language: 'es' },
} as const

export type SiteId = keyof typeof sites

export const siteIds = Object.keys(sites) as SiteId[]
