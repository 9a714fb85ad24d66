import { useState } from 'react'
import { NumberInput, Switch, TextArea, TextInput } from '../core/fields/fields.tsx'
import { SlugInput } from '../core/fields/slug.tsx'
import { Section } from '../core/page.tsx'
import { words } from '../words.ts'
import type { EventTypeSection } from './event-type-section.ts'
import { LocationsFields } from './location-fields.tsx'

interface Props extends EventTypeSection<'basics'> {
  readonly ownerSlug: string
  readonly savedSlug: string
  readonly isTeams: boolean
}

/** What it is, how long it takes, and where. */
export function BasicsSection({ draft, set, ownerSlug, savedSlug, isTeams }: Props) {
  const e = words.eventTypes
  return (
    <Section id="basics" title={e.basics}>
      <TextInput
        label={words.name}
        field="name"
        maxLength={200}
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      <SlugInput
        within={`${ownerSlug}/`}
        hint={draft.slug === savedSlug ? undefined : e.slugHint}
        value={draft.slug}
        onChange={(slug) => set({ slug })}
      />
      <TextArea
        label={e.description}
        hint={e.descriptionHint}
        field="description"
        maxLength={5000}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <div className="columns">
        <NumberInput
          label={e.duration}
          field="durationMinutes"
          unit={words.units.minutes}
          value={draft.durationMinutes}
          onChange={(durationMinutes) => set({ durationMinutes: durationMinutes ?? 0 })}
        />
        <DurationsInput durations={draft.durations} onChange={(durations) => set({ durations })} />
      </div>
      <LocationsFields draft={draft} set={set} isTeams={isTeams} />
      <Switch label={e.hidden} hint={e.hiddenHint} on={draft.hidden} onChange={(hidden) => set({ hidden })} />
    </Section>
  )
}

const numbersIn = (text: string) => (text.match(/\d{1,4}/g) ?? []).map(Number)

interface DurationsProps {
  readonly durations: readonly number[]
  readonly onChange: (durations: readonly number[]) => void
}

/** The lengths that guests choose from, in one line. Commas and spaces stay while the host types. */
function DurationsInput({ durations, onChange }: DurationsProps) {
  const e = words.eventTypes
  const written = durations.join(', ')
  const [text, setText] = useState(written)
  return (
    <TextInput
      label={e.durations}
      hint={e.durationsHint}
      field="durations"
      value={numbersIn(text).join(', ') === written ? text : written}
      onChange={(next) => {
        setText(next)
        onChange(numbersIn(next))
      }}
    />
  )
}
