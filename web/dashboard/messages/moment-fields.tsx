import { use } from 'react'
import { CHANNELS, REPLACEABLE } from '../../../src/domain/messages/message.ts'
import { MOMENTS, type Moment, RECIPIENTS } from '../../../src/domain/messages/moments.ts'
import { whenOf } from '../../../src/domain/messages/timeline.ts'
import { sayRefusal } from '../core/data/refusals.ts'
import type { MessageView } from '../core/data/views.ts'
import { DurationInput, Select, Switch, TextInput } from '../core/fields/fields.tsx'
import { SendsTexts } from '../core/sends-texts.ts'
import { messageWords } from '../words.ts'

interface Props {
  readonly draft: MessageView
  readonly set: (part: Partial<MessageView>) => void
}

const HOUR = 60

/** When a message is sent, in the words of a choice. */
export const momentName = (on: Moment): string =>
  on === 'before' || on === 'after' || on === 'unbooked'
    ? messageWords.timed[on]
    : sayRefusal(whenOf(on, null))

/** When a message is sent, in full. */
export const whenName = ({ on, minutes }: Pick<MessageView, 'on' | 'minutes'>): string =>
  sayRefusal(whenOf(on, minutes))

/** Moments of a booking; a message about a form has one of its own. */
const OF_BOOKINGS = MOMENTS.filter((moment) => moment !== 'unbooked')

/** What changes with the way in which a message is sent: a text message is short, for the guest, and replaces nothing. */
function sentBy(by: MessageView['by'], { texts }: MessageView): Partial<MessageView> {
  if (by === 'email') return { by }
  const withoutSubjects = Object.entries(texts).map(([language, { body }]) => [
    language,
    { subject: '', body },
  ])
  return { by, to: 'guest', replaces: false, texts: Object.fromEntries(withoutSubjects) }
}

/** What a message is called, when and how it is sent, and to whom. */
export function MomentFields({ draft, set }: Props) {
  const m = messageWords
  const { on, minutes, to, by } = draft
  const sendsTexts = use(SendsTexts)
  const isForForms = on === 'unbooked'
  const recipients = RECIPIENTS.filter((one) =>
    by === 'sms' ? one === 'guest' : !isForForms || one !== 'guests',
  )
  const choose = (chosen: string) => {
    const next = OF_BOOKINGS.find((moment) => moment === chosen) ?? on
    const timed = next === 'before' || next === 'after'
    set({
      on: next,
      minutes: timed ? (minutes ?? HOUR) : null,
      replaces: draft.replaces && REPLACEABLE.has(next),
    })
  }
  return (
    <>
      <TextInput
        label={m.name}
        hint={m.nameHint}
        field="name"
        maxLength={200}
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      <div className="columns">
        {!isForForms && (
          <Select
            label={m.on}
            field="on"
            value={on}
            options={OF_BOOKINGS.map((id) => ({ id, label: momentName(id) }))}
            onChange={choose}
          />
        )}
        <Select
          label={m.to}
          field="to"
          value={to}
          options={recipients.map((id) => ({ id, label: m.recipients[id] }))}
          onChange={(chosen) => set({ to: recipients.find((one) => one === chosen) ?? to })}
        />
        {((sendsTexts && !isForForms) || by === 'sms') && (
          <Select
            label={m.by}
            hint={by === 'sms' && m.smsHint}
            field="by"
            value={by}
            options={CHANNELS.map((id) => ({ id, label: m.channels[id] }))}
            onChange={(chosen) => set(sentBy(chosen === 'sms' ? 'sms' : 'email', draft))}
          />
        )}
      </div>
      {minutes !== null && (
        <DurationInput
          label={isForForms ? momentName(on) : m.minutes}
          field="minutes"
          minutes={minutes}
          onChange={(next) => set({ minutes: next })}
        />
      )}
      {REPLACEABLE.has(on) && by === 'email' && (
        <Switch
          label={m.replaces}
          hint={m.replacesHint}
          on={draft.replaces}
          onChange={(replaces) => set({ replaces })}
        />
      )}
    </>
  )
}
