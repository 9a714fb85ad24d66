import type { Labels } from '../catalogue.ts'

export default {
  workingHours: 'Arbeitszeiten',
  seats: '{taken} von {seats} Plätzen',
} satisfies Labels
