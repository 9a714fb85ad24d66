import { LOCATION_TYPES } from '../../../src/domain/event-types/location.ts'
import { AddItem } from '../core/buttons.tsx'
import type { EventTypeView } from '../core/data/views.ts'
import { Select, TextInput } from '../core/fields/fields.tsx'
import { FieldError } from '../core/fields/form-errors.tsx'
import { OrderButtons } from '../core/fields/ordered.tsx'
import { tell, words } from '../words.ts'
import type { EventTypeSection } from './event-type-section.ts'
import { LinkSelect } from './link-select.tsx'

type Location = EventTypeView['location']
type Offered = EventTypeView['locations'][number]

interface Props extends EventTypeSection<'basics'> {
  readonly isTeams: boolean
}

/** Where meetings take place: one location, or several that guests choose from. */
export function LocationsFields({ draft: { location, locations }, set, isTeams }: Props) {
  const e = words.eventTypes
  const change = (next: readonly Offered[]) => set({ locations: next })
  const add = () => {
    const present = locations.length > 0 ? locations : [{ id: 'location-1', label: '', ...location }]
    const numbers = present.map(({ id }) => Number(/^location-(\d+)$/.exec(id)?.[1] ?? 0))
    const id = `location-${Math.max(0, ...numbers) + 1}`
    change([...present, { id, label: '', type: 'Phone', value: '', provider: '' }])
  }
  return (
    <>
      {locations.length === 0 && (
        <div className="columns">
          <LocationFields
            location={location}
            path="location"
            isTeams={isTeams}
            onChange={(changed) => set({ location: changed })}
          />
        </div>
      )}
      {locations.map((offered, index) => {
        const name = offered.label || tell(e.locationNumbered, { number: index + 1 })
        return (
          <fieldset key={offered.id} className="nested" aria-label={name}>
            <OrderButtons items={locations} index={index} name={name} onChange={change} />
            <TextInput
              label={e.locationLabel}
              hint={e.locationLabelHint}
              field={`locations.${index}.label`}
              maxLength={200}
              value={offered.label ?? ''}
              onChange={(label) => change(locations.with(index, { ...offered, label }))}
            />
            <div className="columns">
              <LocationFields
                location={offered}
                path={`locations.${index}`}
                isTeams={isTeams}
                offered
                onChange={(changed) => change(locations.with(index, { ...offered, ...changed }))}
              />
            </div>
          </fieldset>
        )
      })}
      <FieldError field="locations" />
      <AddItem onPress={add}>{e.addLocation}</AddItem>
    </>
  )
}

interface FieldsProps {
  readonly location: Location
  readonly path: string
  readonly isTeams: boolean
  /** One of several: a phone call without a number means that the host calls. */
  readonly offered?: boolean
  readonly onChange: (location: Location) => void
}

function LocationFields(props: FieldsProps) {
  const { location, path, isTeams, offered = false, onChange } = props
  const e = words.eventTypes
  const { type, value, provider } = location
  const hint = type === 'InPerson' ? e.placeHint : e.locationHint
  return (
    <>
      <Select
        label={e.location}
        field={`${path}.type`}
        value={type}
        options={LOCATION_TYPES.map((id) => ({ id, label: words.locations[id] }))}
        onChange={(chosen) => {
          const next = LOCATION_TYPES.find((one) => one === chosen) ?? 'Video'
          onChange({ type: next, value, provider: '' })
        }}
      />
      {type === 'Video' && (
        <LinkSelect location={location} path={path} isTeams={isTeams} onChange={onChange} />
      )}
      {!provider && (
        <TextInput
          label={offered && type === 'Phone' ? e.phoneNumber : e.locationValues[type]}
          hint={offered && type === 'Phone' ? e.phoneHint : hint}
          field={`${path}.value`}
          maxLength={2000}
          value={value}
          onChange={(next) => onChange({ type, value: next, provider: provider ?? '' })}
        />
      )}
    </>
  )
}
