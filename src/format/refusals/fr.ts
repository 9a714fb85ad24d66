import type { Catalogue } from './catalogue.ts'

export const FR: Catalogue = {
  'This time is no longer available. Please choose another slot.':
    'Ce créneau n’est plus disponible. Veuillez en choisir un autre.',
}
