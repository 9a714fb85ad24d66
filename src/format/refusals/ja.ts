import type { Catalogue } from './catalogue.ts'

export const JA: Catalogue = {
  'This time is no longer available. Please choose another slot.':
    'この時間は予約できなくなりました。別の時間を選んでください。',
}
