import type { Labels } from '../catalogue.ts'

export default {
  workingHours: '営業時間',
  seats: '{seats}席中{taken}席',
} satisfies Labels
