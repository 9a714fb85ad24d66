import type { Labels } from '../catalogue.ts'

export default {
  workingHours: 'Horário de trabalho',
  seats: '{taken} de {seats} lugares',
} satisfies Labels
