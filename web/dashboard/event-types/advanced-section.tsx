import { ListArea, NumberInput, Switch, TextInput } from '../core/fields/fields.tsx'
import { FieldError } from '../core/fields/form-errors.tsx'
import { Section } from '../core/page.tsx'
import { words } from '../words.ts'
import { CalendarFields } from './calendar-fields.tsx'
import type { EventTypeSection } from './event-type-section.ts'

interface Props extends EventTypeSection<'advanced'> {
  /** A team's event type: its hosts have calendars that this user doesn't see. */
  readonly isTeams: boolean
}

/** What few hosts change. */
export function AdvancedSection({ draft, set, isTeams }: Props) {
  const e = words.eventTypes
  return (
    <Section id="advanced" title={e.advanced}>
      <Switch
        label={e.linkOnly}
        hint={e.linkOnlyHint}
        on={draft.linkOnly}
        onChange={(linkOnly) => set({ linkOnly })}
      />
      <Switch label={e.holds} hint={e.holdsHint} on={draft.holds} onChange={(holds) => set({ holds })} />
      <FieldError field="holds" />
      <CalendarFields draft={draft} set={set} team={isTeams} />
      <NumberInput
        label={e.interval}
        hint={e.intervalHint}
        field="intervalMinutes"
        unit={words.units.minutes}
        value={draft.intervalMinutes}
        onChange={(intervalMinutes) => set({ intervalMinutes })}
      />
      <NumberInput
        label={e.keepDays}
        hint={e.keepDaysHint}
        field="keepPersonalDataDays"
        placeholder={words.forever}
        value={draft.keepPersonalDataDays}
        onChange={(keepPersonalDataDays) => set({ keepPersonalDataDays })}
      />
      <TextInput
        label={e.returnUrl}
        hint={e.returnUrlHint}
        field="returnUrl"
        type="url"
        value={draft.returnUrl}
        onChange={(returnUrl) => set({ returnUrl })}
      />
      <ListArea
        label={e.allowedOrigins}
        hint={e.allowedOriginsHint}
        field="allowedOrigins"
        values={draft.allowedOrigins}
        onChange={(allowedOrigins) => set({ allowedOrigins })}
      />
    </Section>
  )
}
