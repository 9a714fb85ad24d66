import { Select, TextArea, TextInput } from '../core/controls.tsx'
import type { EventTypeView, TargetView } from '../core/views.ts'
import { words } from '../words.ts'

const ACTIONS = ['routeToEvent', 'redirect', 'message'] as const

interface Props {
  readonly name: string
  readonly target: TargetView
  readonly eventTypes: readonly EventTypeView[]
  readonly error?: string | undefined
  readonly onChange: (target: TargetView) => void
}

/** Where a visitor is led. */
export function TargetEditor({ name, target, eventTypes, error, onChange }: Props) {
  const f = words.forms
  const nothing = { eventTypeId: null, redirectUrl: null, message: null }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label={f.leadThen}
        value={target.action}
        options={ACTIONS.map((id) => ({ id, label: f.actions[id] }))}
        onChange={(chosen) => {
          const action = ACTIONS.find((one) => one === chosen) ?? 'message'
          onChange({
            ...nothing,
            action,
            ...(action === 'routeToEvent' && { eventTypeId: eventTypes[0]?.id ?? '' }),
            ...(action === 'redirect' && { redirectUrl: 'https://' }),
            ...(action === 'message' && { message: '' }),
          })
        }}
      />
      {target.action === 'routeToEvent' && (
        <Select
          label={f.event}
          value={target.eventTypeId ?? ''}
          error={error}
          options={[
            ...(eventTypes.some(({ id }) => id === target.eventTypeId)
              ? []
              : [{ id: target.eventTypeId ?? '', label: f.chooseEvent }]),
            ...eventTypes.map(({ id, name: label, hidden }) => ({
              id,
              label: hidden ? `${label} (${words.eventTypes.hiddenShort})` : label,
            })),
          ]}
          onChange={(eventTypeId) => onChange({ ...target, eventTypeId })}
        />
      )}
      {target.action === 'redirect' && (
        <TextInput
          label={f.url}
          type="url"
          maxLength={2000}
          value={target.redirectUrl ?? ''}
          error={error}
          onChange={(redirectUrl) => onChange({ ...target, redirectUrl })}
        />
      )}
      {target.action === 'message' && (
        <TextArea
          label={f.message}
          rows={2}
          maxLength={5000}
          value={target.message ?? ''}
          error={error}
          onChange={(message) => onChange({ ...target, message })}
        />
      )}
      <span className="sr-only">{name}</span>
    </div>
  )
}
