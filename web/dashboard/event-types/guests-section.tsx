import { SERIES_STEPS } from '../../../src/domain/event-types/series-offer.ts'
import { AddItem, IconButton } from '../core/buttons.tsx'
import { Checkboxes, DurationInput, NumberInput, Switch } from '../core/fields/fields.tsx'
import { FieldError } from '../core/fields/form-errors.tsx'
import { CrossIcon } from '../core/icons.tsx'
import { Section } from '../core/page.tsx'
import { tell, words } from '../words.ts'
import type { EventTypeSection } from './event-type-section.ts'

/** How guests book, change their booking and are reminded. */
export function GuestsSection({ draft, set }: EventTypeSection<'guests'>) {
  const e = words.eventTypes
  return (
    <Section id="guests" title={e.guests}>
      <Switch
        label={e.approval}
        hint={e.approvalHint}
        on={draft.requiresApproval}
        onChange={(requiresApproval) => set({ requiresApproval })}
      />
      <Switch
        label={e.confirmEmail}
        hint={e.confirmEmailHint}
        on={draft.confirmEmail}
        onChange={(confirmEmail) => set({ confirmEmail })}
      />
      <div className="columns">
        <NumberInput
          label={e.seats}
          hint={e.seatsHint}
          field="seats"
          value={draft.seats}
          onChange={(seats) => set({ seats: seats ?? 1 })}
        />
        <NumberInput
          label={e.maxGuests}
          hint={e.maxGuestsHint}
          field="maxGuests"
          value={draft.maxGuests}
          onChange={(maxGuests) => set({ maxGuests: maxGuests ?? 0 })}
        />
      </div>
      <Checkboxes
        label={e.series}
        hint={e.seriesHint}
        field="series.every"
        options={SERIES_STEPS.map((step) => ({ id: step, label: e.seriesSteps[step] }))}
        chosen={draft.series?.every ?? []}
        onChange={(chosen) => {
          const every = SERIES_STEPS.filter((step) => chosen.includes(step))
          set({ series: every.length === 0 ? null : { every, most: draft.series?.most ?? 12 } })
        }}
      />
      {draft.series && (
        <NumberInput
          label={e.seriesMost}
          hint={e.seriesMostHint}
          field="series.most"
          value={draft.series.most}
          onChange={(most) => draft.series && set({ series: { ...draft.series, most: most ?? 2 } })}
        />
      )}
      <div className="columns">
        <DurationInput
          label={e.cancelNotice}
          hint={e.cutoffHint}
          field="cancelNoticeMinutes"
          minutes={draft.cancelNoticeMinutes}
          onChange={(cancelNoticeMinutes) => set({ cancelNoticeMinutes })}
        />
        <DurationInput
          label={e.rescheduleNotice}
          hint={e.cutoffHint}
          field="rescheduleNoticeMinutes"
          minutes={draft.rescheduleNoticeMinutes}
          onChange={(rescheduleNoticeMinutes) => set({ rescheduleNoticeMinutes })}
        />
      </div>
      <Reminders minutes={draft.reminderMinutes} onChange={(reminderMinutes) => set({ reminderMinutes })} />
    </Section>
  )
}

interface RemindersProps {
  readonly minutes: readonly number[]
  readonly onChange: (minutes: readonly number[]) => void
}

const MAX_REMINDERS = 5

function Reminders({ minutes, onChange }: RemindersProps) {
  const e = words.eventTypes
  return (
    <fieldset className="stack">
      <legend className="label">{e.reminders}</legend>
      {minutes.length === 0 && <p className="hint">{e.noReminders}</p>}
      {minutes.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: reminders have no identity of their own
        <div key={index} className="reminder">
          <DurationInput
            label={tell(e.reminder, { number: index + 1 })}
            field={`reminderMinutes.${index}`}
            minutes={one}
            onChange={(next) => onChange(minutes.with(index, next))}
          />
          <IconButton
            label={tell(words.removeOf, { name: tell(e.reminder, { number: index + 1 }) })}
            onPress={() => onChange(minutes.toSpliced(index, 1))}
          >
            <CrossIcon size={16} />
          </IconButton>
        </div>
      ))}
      <FieldError field="reminderMinutes" />
      {minutes.length < MAX_REMINDERS && (
        <AddItem onPress={() => onChange([...minutes, nextReminder(minutes)])}>{e.addReminder}</AddItem>
      )}
    </fieldset>
  )
}

/** A time without a reminder: the server refuses two at the same time. */
const nextReminder = (taken: readonly number[]) =>
  [60, 1440, 15, 2880, 10080, 30].find((minutes) => !taken.includes(minutes)) ?? 45
