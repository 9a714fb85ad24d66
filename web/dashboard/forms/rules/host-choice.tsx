import type { EventTypeView, HostedTargetView } from '../../core/data/views.ts'
import { NumberInput, Select, TextInput } from '../../core/fields/fields.tsx'
import { FieldError } from '../../core/fields/form-errors.tsx'
import { words } from '../../words.ts'

interface Props {
  readonly path: string
  readonly target: HostedTargetView
  readonly eventTypes: readonly EventTypeView[]
  readonly onChange: (target: HostedTargetView) => void
}

const MATCHES = ['email', 'domain'] as const

/** Which hosts of a round robin a visitor is sent to. Others have no choice, so nothing is shown. */
export function HostChoice({ path, target, eventTypes, onChange }: Props) {
  const f = words.forms
  const eventType = eventTypes.find(({ id }) => id === target.eventTypeId)
  const isChoice = target.action === 'routeToEvent' && eventType?.assignment === 'round-robin'
  if (!isChoice) return null
  const { owner, ...others } = target
  const choose = (chosen: string) => {
    const by = MATCHES.find((one) => one === chosen)
    onChange(by === undefined ? others : { ...others, owner: { days: owner?.days ?? 90, by } })
  }
  return (
    <div className="columns">
      <Select
        label={f.returning}
        field={`${path}.owner.by`}
        value={owner?.by ?? ''}
        options={[
          { id: '', label: f.returningTo.nobody },
          ...MATCHES.map((id) => ({ id, label: f.returningTo[id] })),
        ]}
        onChange={choose}
      />
      {owner && (
        <NumberInput
          label={f.metWithin}
          hint={owner.by === 'domain' ? f.metWithinDomain : f.metWithinEmail}
          field={`${path}.owner.days`}
          unit={words.units.days}
          value={owner.days}
          onChange={(days) => onChange({ ...target, owner: { ...owner, days: days ?? Number.NaN } })}
        />
      )}
      <FieldError field={`${path}.owner`} />
      <TextInput
        label={f.lookup}
        hint={f.lookupHint}
        field={`${path}.ownerLookupUrl`}
        type="url"
        maxLength={2000}
        value={target.ownerLookupUrl ?? ''}
        onChange={(url) => onChange(withLookup(target, url))}
      />
    </div>
  )
}

/** A target with this owner lookup; empty: without one. */
function withLookup(target: HostedTargetView, url: string): HostedTargetView {
  const { ownerLookupUrl: _, ...others } = target
  return url === '' ? others : { ...others, ownerLookupUrl: url }
}
