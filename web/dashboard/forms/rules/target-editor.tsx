import type { EventTypeView, FormView, HostedTargetView } from '../../core/data/views.ts'
import { Select, TextArea, TextInput } from '../../core/fields/fields.tsx'
import { FieldError } from '../../core/fields/form-errors.tsx'
import { tell, words } from '../../words.ts'
import { HostFilterEditor } from './host-filter-editor.tsx'

const ACTIONS = ['routeToEvent', 'redirect', 'message'] as const

interface Props {
  readonly path: string
  readonly target: HostedTargetView
  readonly eventTypes: readonly EventTypeView[]
  /** The form's questions, where hosts can be chosen; left out: they can't. */
  readonly fields?: FormView['fields']
  readonly onChange: (target: HostedTargetView) => void
}

/** Where a visitor is sent. */
export function TargetEditor({ path, target, eventTypes, fields, onChange }: Props) {
  const f = words.forms
  const choose = (chosen: string) => {
    const action = ACTIONS.find((one) => one === chosen) ?? 'message'
    onChange({
      action,
      eventTypeId: action === 'routeToEvent' ? (eventTypes[0]?.id ?? '') : null,
      redirectUrl: action === 'redirect' ? 'https://' : null,
      message: action === 'message' ? '' : null,
    })
  }
  return (
    <>
      <div className="columns">
        <Select
          label={f.thenDo}
          field={`${path}.action`}
          value={target.action}
          options={ACTIONS.map((id) => ({ id, label: f.actions[id] }))}
          onChange={choose}
        />
        {target.action === 'routeToEvent' && (
          <Select
            label={f.event}
            field={`${path}.eventTypeId`}
            value={target.eventTypeId ?? ''}
            options={[
              ...(eventTypes.some(({ id }) => id === target.eventTypeId)
                ? []
                : [{ id: target.eventTypeId ?? '', label: f.chooseEvent }]),
              ...eventTypes.map(({ id, name, hidden }) => ({
                id,
                label: hidden ? tell(words.eventTypes.hiddenNamed, { name }) : name,
              })),
            ]}
            onChange={(eventTypeId) => onChange({ ...target, eventTypeId })}
          />
        )}
        {target.action === 'redirect' && (
          <TextInput
            label={f.url}
            field={`${path}.redirectUrl`}
            type="url"
            maxLength={2000}
            value={target.redirectUrl ?? ''}
            onChange={(redirectUrl) => onChange({ ...target, redirectUrl })}
          />
        )}
        {target.action === 'message' && (
          <TextArea
            label={f.message}
            field={`${path}.message`}
            rows={2}
            maxLength={5000}
            value={target.message ?? ''}
            onChange={(message) => onChange({ ...target, message })}
          />
        )}
        <FieldError field={path} />
      </div>
      {target.action === 'routeToEvent' && fields !== undefined && (
        <HostFilterEditor
          filter={target.hosts}
          eventType={eventTypes.find(({ id }) => id === target.eventTypeId)}
          fields={fields}
          path={`${path}.hosts`}
          onChange={(hosts) => {
            const { hosts: _, ...rest } = target
            onChange(hosts === undefined ? rest : { ...rest, hosts })
          }}
        />
      )}
    </>
  )
}
