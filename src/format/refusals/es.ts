import type { Catalogue } from './catalogue.ts'

export const ES: Catalogue = {
  'This time is no longer available. Please choose another slot.':
    'Esta hora ya no está disponible. Elige otra.',
}
