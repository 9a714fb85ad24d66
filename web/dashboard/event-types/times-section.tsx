import { PERIODS } from '../../../src/domain/event-types/event-type.ts'
import type { ScheduleView } from '../core/data/views.ts'
import { DurationInput, NumberInput, Select, TextInput } from '../core/fields/fields.tsx'
import { Section } from '../core/page.tsx'
import { words } from '../words.ts'
import type { EventTypeSection } from './event-type-section.ts'

interface Props extends EventTypeSection<'times'> {
  /** To choose from; undefined for a team's event type, which uses those of its hosts. */
  readonly schedules: readonly ScheduleView[] | undefined
}

/** Which times are offered. */
export function TimesSection({ draft, set, schedules }: Props) {
  const e = words.eventTypes
  return (
    <Section id="times" title={e.times} hint={e.timesHint}>
      {schedules !== undefined && (
        <Select
          label={e.schedule}
          field="scheduleId"
          value={draft.scheduleId ?? ''}
          options={[
            { id: '', label: e.defaultSchedule },
            ...schedules.map(({ id, name }) => ({ id, label: name })),
          ]}
          onChange={(chosen) => set({ scheduleId: chosen === '' ? null : chosen })}
        />
      )}
      <div className="columns">
        <DurationInput
          label={e.bufferBefore}
          field="bufferBeforeMinutes"
          minutes={draft.bufferBeforeMinutes}
          onChange={(bufferBeforeMinutes) => set({ bufferBeforeMinutes })}
        />
        <DurationInput
          label={e.bufferAfter}
          field="bufferAfterMinutes"
          minutes={draft.bufferAfterMinutes}
          onChange={(bufferAfterMinutes) => set({ bufferAfterMinutes })}
        />
        <DurationInput
          label={e.notice}
          hint={e.noticeHint}
          field="noticeMinutes"
          minutes={draft.noticeMinutes}
          onChange={(noticeMinutes) => set({ noticeMinutes })}
        />
      </div>
      <WindowFields draft={draft} set={set} />
      <LimitFields draft={draft} set={set} of="limits" />
      <LimitFields draft={draft} set={set} of="limitMinutes" />
    </Section>
  )
}

const WINDOWS = ['rolling', 'business', 'fixed', 'unlimited'] as const

function WindowFields({ draft: { window }, set }: EventTypeSection<'times'>) {
  const e = words.eventTypes
  const isBusiness = window.kind === 'rolling' && window.businessDays === true
  const choose = (kind: string) => {
    if (kind === 'rolling') set({ window: { kind, days: 60 } })
    if (kind === 'business') set({ window: { kind: 'rolling', days: 40, businessDays: true } })
    if (kind === 'unlimited') set({ window: { kind } })
    if (kind === 'fixed') {
      const today = new Date().toISOString().slice(0, 10)
      set({ window: { kind, from: today, to: today } })
    }
  }
  return (
    <div className="columns">
      <Select
        label={e.window}
        field="window"
        value={isBusiness ? 'business' : window.kind}
        options={WINDOWS.map((kind) => ({ id: kind, label: e.windows[kind] }))}
        onChange={choose}
      />
      {window.kind === 'rolling' && (
        <NumberInput
          label={e.windowDays}
          {...(isBusiness && { hint: e.businessDaysHint })}
          field="window.days"
          unit={words.units.days}
          value={window.days}
          onChange={(days) => set({ window: { ...window, days: days ?? 0 } })}
        />
      )}
      {window.kind === 'fixed' && (
        <>
          <TextInput
            label={e.windowFrom}
            field="window.from"
            type="date"
            value={window.from}
            onChange={(from) => set({ window: { ...window, from } })}
          />
          <TextInput
            label={e.windowTo}
            field="window.to"
            type="date"
            value={window.to}
            onChange={(to) => set({ window: { ...window, to } })}
          />
        </>
      )}
    </div>
  )
}

interface LimitProps extends EventTypeSection<'times'> {
  readonly of: 'limits' | 'limitMinutes'
}

function LimitFields({ draft, set, of }: LimitProps) {
  const e = words.eventTypes
  const limits = draft[of]
  return (
    <fieldset className="stack">
      <legend className="label">{of === 'limits' ? e.limits : e.limitMinutes}</legend>
      <div className="columns columns-4">
        {PERIODS.map((period) => (
          <NumberInput
            key={period}
            label={e.limitPer[period]}
            field={`${of}.${period}`}
            placeholder={e.noLimit}
            value={limits[period] ?? null}
            onChange={(limit) => set({ [of]: { ...limits, [period]: limit } })}
          />
        ))}
      </div>
    </fieldset>
  )
}
