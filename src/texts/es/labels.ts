import type { Labels } from '../catalogue.ts'

export default {
  workingHours: 'Horario laboral',
  seats: '{taken} de {seats} plazas',
} satisfies Labels
