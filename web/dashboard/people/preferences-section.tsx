import { TIME_FORMATS, WEEK_STARTS } from '../../../src/domain/people/user.ts'
import type { MeView } from '../core/data/views.ts'
import { Select } from '../core/fields/fields.tsx'
import { Section } from '../core/page.tsx'
import { words } from '../words.ts'

interface Props {
  readonly draft: MeView
  readonly set: (part: Partial<MeView>) => void
}

/** How the user reads times and weeks. */
export function PreferencesSection({ draft, set }: Props) {
  const p = words.profile
  return (
    <Section title={p.display} hint={p.displayHint}>
      <div className="columns">
        <Select
          label={p.timeFormat}
          field="timeFormat"
          value={draft.timeFormat}
          options={TIME_FORMATS.map((id) => ({ id, label: p.timeFormats[id] }))}
          onChange={(chosen) => set({ timeFormat: TIME_FORMATS.find((one) => one === chosen) ?? 'auto' })}
        />
        <Select
          label={p.weekStart}
          field="weekStart"
          value={draft.weekStart}
          options={WEEK_STARTS.map((id) => ({ id, label: p.weekStarts[id] }))}
          onChange={(chosen) => set({ weekStart: WEEK_STARTS.find((one) => one === chosen) ?? 'auto' })}
        />
      </div>
    </Section>
  )
}
