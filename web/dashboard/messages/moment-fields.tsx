import { REPLACEABLE } from '../../../src/domain/messages/message.ts'
import { MOMENTS, type Moment, RECIPIENTS } from '../../../src/domain/messages/moments.ts'
import { whenOf } from '../../../src/domain/messages/timeline.ts'
import { sayRefusal } from '../core/data/refusals.ts'
import type { MessageView } from '../core/data/views.ts'
import { DurationInput, Select, Switch, TextInput } from '../core/fields/fields.tsx'
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

/** What a message is called, when it is sent, and to whom. */
export function MomentFields({ draft, set }: Props) {
  const m = messageWords
  const { on, minutes, to } = draft
  const isForForms = on === 'unbooked'
  const recipients = RECIPIENTS.filter((one) => !isForForms || one !== 'guests')
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
      </div>
      {minutes !== null && (
        <DurationInput
          label={isForForms ? momentName(on) : m.minutes}
          field="minutes"
          minutes={minutes}
          onChange={(next) => set({ minutes: next })}
        />
      )}
      {REPLACEABLE.has(on) && (
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
