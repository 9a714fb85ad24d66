import type { Labels } from '../catalogue.ts'

export default {
  workingHours: 'Heures de travail',
  seats: '{taken} sur {seats} places',
} satisfies Labels
