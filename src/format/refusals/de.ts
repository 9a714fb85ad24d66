import type { Catalogue } from './catalogue.ts'

export const DE: Catalogue = {
  'This time is no longer available. Please choose another slot.':
    'Diese Zeit ist nicht mehr frei. Bitte eine andere wählen.',
}
