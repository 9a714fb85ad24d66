import type { Moment } from '../../../src/domain/messages/moments.ts'
import { fillGaps } from '../../../src/domain/tell.ts'
import type { MessageWords } from '../../../src/texts/catalogue.ts'

export type Sample = keyof MessageWords['samples']

interface SampleMoment {
  readonly on: Moment
  readonly minutes: number | null
}

const HOUR = 60
const DAY = 24 * HOUR

/** When each of the ready-made texts is usually sent. */
export const SAMPLES: Readonly<Record<Exclude<Sample, 'blank'>, SampleMoment>> = {
  reconfirm: { on: 'before', minutes: DAY },
  bring: { on: 'before', minutes: 2 * DAY },
  directions: { on: 'before', minutes: DAY },
  thanks: { on: 'after', minutes: HOUR },
  feedback: { on: 'after', minutes: DAY },
  missed: { on: 'no-show', minutes: null },
  nudge: { on: 'unbooked', minutes: HOUR },
}

/** What stands for each gap of the ready-made texts. */
const GAPS: Readonly<Record<string, string>> = {
  guest: '{{guest.firstName}}',
  host: '{{host.name}}',
  event: '{{event.name}}',
  date: '{{start | date}}',
  time: '{{start | time}}',
  location: '{{location}}',
  book: '{{link.book}}',
  reschedule: '{{link.reschedule}}',
  cancel: '{{link.cancel}}',
  ifLocation: '{{#if location}}',
  endIf: '{{/if}}',
}

/** A ready-made text as a template. */
export function sampleText({ samples }: Pick<MessageWords, 'samples'>, sample: Sample) {
  const { subject, body } = samples[sample]
  const fill = (text: string) => fillGaps(text, (gap) => GAPS[gap] ?? '')
  return { subject: fill(subject), body: fill(body) }
}
