/** The country sites, in the order in which `/sites` lists them. The time zone is that of the capital, or of the most
 * populated region. */
// biome-ignore format: a table, one site a line
export const sites = {
  MLU: { name: 'Uruguay', country: 'UY', currency: 'UYU', language: 'es', timeZone: 'America/Montevideo' },
  MSV: { name: 'El Salvador', country: 'SV', currency: 'USD', language: 'es', timeZone: 'America/El_Salvador' },
  MLV: { name: 'Venezuela', country: 'VE', currency: 'VES', language: 'es', timeZone: 'America/Caracas' },
  MPA: { name: 'Panamá', country: 'PA', currency: 'PAB', language: 'es', timeZone: 'America/Panama' },
  MGT: { name: 'Guatemala', country: 'GT', currency: 'GTQ', language: 'es', timeZone: 'America/Guatemala' },
  MRD: { name: 'Dominicana', country: 'DO', currency: 'DOP', language: 'es', timeZone: 'America/Santo_Domingo' },
  MBO: { name: 'Bolivia', country: 'BO', currency: 'BOB', language: 'es', timeZone: 'America/La_Paz' },
  MCO: { name: 'Colombia', country: 'CO', currency: 'COP', language: 'es', timeZone: 'America/Bogota' },
  MLB: { name: 'Brasil', country: 'BR', currency: 'BRL', language: 'pt', timeZone: 'America/Sao_Paulo' },
  MEC: { name: 'Ecuador', country: 'EC', currency: 'USD', language: 'es', timeZone: 'America/Guayaquil' },
  MHN: { name: 'Honduras', country: 'HN', currency: 'HNL', language: 'es', timeZone: 'America/Tegucigalpa' },
  MPE: { name: 'Perú', country: 'PE', currency: 'PEN', language: 'es', timeZone: 'America/Lima' },
  MLA: { name: 'Argentina', country: 'AR', currency: 'ARS', language: 'es', timeZone: 'America/Argentina/Buenos_Aires' },
  MLC: { name: 'Chile', country: 'CL', currency: 'CLP', language: 'es', timeZone: 'America/Santiago' },
  MCU: { name: 'Cuba', country: 'CU', currency: 'CUP', language: 'es', timeZone: 'America/Havana' },
  MLM: { name: 'Mexico', country: 'MX', currency: 'MXN', language: 'es', timeZone: 'America/Mexico_City' },
  MCR: { name: 'Costa Rica', country: 'CR', currency: 'CRC', language: 'es', timeZone: 'America/Costa_Rica' },
  MPY: { name: 'Paraguay', country: 'PY', currency: 'PYG', language: 'es', timeZone: 'America/Asuncion' },
  MPT: { name: 'Portugal', country: 'PT', currency: 'EUR', language: 'pt', timeZone: 'Europe/Lisbon' },
  MNI: { name: 'Nicaragua', country: 'NI', currency: 'NIO', language: 'es', timeZone: 'America/Managua' },
} as const

export type SiteId = keyof typeof sites

export const siteIds = Object.keys(sites) as SiteId[]
