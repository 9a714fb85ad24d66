import type { Catalogue } from './catalogue.ts'

export const PT: Catalogue = {
  'This time is no longer available. Please choose another slot.':
    'Este horário não está mais disponível. Escolha outro.',
}
