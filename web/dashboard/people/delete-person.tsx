import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call, withQuery } from '../core/data/api.ts'
import { useChange, useOne, usePages } from '../core/data/data.ts'
import type { DepartedView, DepartureView, PersonView } from '../core/data/views.ts'
import { Confirm, Sheet } from '../core/dialogs.tsx'
import { Select, Switch, TextInput } from '../core/fields/fields.tsx'
import { Loaded } from '../core/page.tsx'
import { useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'

/** The id of the option that hands nothing over. */
const NOBODY = ''

interface Props {
  readonly person: PersonView
  readonly onClose: () => void
}

/** Asks who takes over what a person has, shows what happens, and deletes the person. */
export function DeletePerson({ person, onClose }: Props) {
  const [search, setSearch] = useState('')
  const [successor, setSuccessor] = useState<PersonView>()
  const [cancel, setCancel] = useState(false)
  const people = usePages<PersonView>('/people', { search: search.trim() || undefined }, () => true)
  const found = (people.items ?? []).filter(
    ({ id, disabled }) => !disabled && id !== person.id && id !== successor?.id,
  )
  const others = [...(successor === undefined ? [] : [successor]), ...found]
  const to = { handOverTo: successor?.id }
  const departure = useOne<DepartureView>(withQuery(`/people/${person.id}/departure`, to))
  const remove = useChange(
    () =>
      call<DepartedView>(withQuery(`/people/${person.id}`, { ...to, cancel: cancel ? 'true' : undefined }), {
        method: 'DELETE',
      }),
    ['/people', '/bookings', '/event-types', '/routing-forms', '/teams', '/me'],
  )
  const d = words.people.deleting
  if (remove.data !== undefined) {
    const { moved, cancelled } = remove.data.body
    return (
      <Sheet title={tell(d.done, { name: person.name })} onClose={onClose}>
        <div className="stack" role="status">
          {moved > 0 && <p>{tell(d.moved, { count: moved })}</p>}
          {cancelled > 0 && <p>{tell(d.cancelled, { count: cancelled })}</p>}
          <p>{d.soon}</p>
        </div>
        <div className="actions actions-end">
          <Button kind="primary" onPress={onClose}>
            {words.close}
          </Button>
        </div>
      </Sheet>
    )
  }
  return (
    <Confirm
      title={tell(d.title, { name: person.name })}
      confirm={d.confirm}
      cancel={d.keep}
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined)}
    >
      <TextInput
        label={d.search}
        type="search"
        placeholder={words.people.search}
        value={search}
        onChange={setSearch}
      />
      <Select
        label={d.successor}
        hint={d.successorHint}
        field="handOverTo"
        value={successor?.id ?? NOBODY}
        options={[
          { id: NOBODY, label: d.nobody },
          ...others.map(({ id, name, email }) => ({ id, label: `${name} (${email})` })),
        ]}
        onChange={(id) => {
          setSuccessor(others.find((one) => one.id === id))
          setCancel(false)
        }}
      />
      <Loaded query={departure}>
        {({ body }) => (
          <Effects departure={body} successor={successor} cancel={cancel} onCancel={setCancel} />
        )}
      </Loaded>
      <p>{d.final}</p>
    </Confirm>
  )
}

interface EffectsProps {
  readonly departure: DepartureView
  readonly successor: PersonView | undefined
  readonly cancel: boolean
  readonly onCancel: (cancel: boolean) => void
}

function Effects({ departure, successor, cancel, onCancel }: EffectsProps) {
  const times = useTimes()
  const d = words.people.deleting
  const { meetings, eventTypes, forms, teams, collisions } = departure
  const counts = [
    ...(meetings > 0 ? [tell(d.meetings, { count: meetings })] : []),
    ...(eventTypes > 0 ? [tell(d.eventTypes, { count: eventTypes })] : []),
    ...(forms > 0 ? [tell(d.forms, { count: forms })] : []),
    ...(teams > 0 ? [tell(d.teams, { count: teams })] : []),
  ]
  const mustCancel = successor === undefined ? meetings > 0 : collisions.length > 0
  return (
    <div className="stack" role="status">
      <p>
        {counts.length === 0
          ? d.nothing
          : successor === undefined
            ? d.ends
            : tell(d.goesTo, { name: successor.name })}
      </p>
      {counts.length > 0 && (
        <ul>
          {counts.map((count) => (
            <li key={count}>{count}</li>
          ))}
        </ul>
      )}
      {successor !== undefined && collisions.length > 0 && (
        <>
          <p>{tell(d.collisions, { name: successor.name, count: collisions.length })}</p>
          <ul className="rows-inner">
            {collisions.map(({ startTime, inviteeName, conflict }) => (
              <li key={startTime} className="row">
                <div className="row-main">
                  {inviteeName}, {times.moment(startTime)}
                  <p className="row-sub">{words.bookings.obstacles[conflict]}</p>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      {mustCancel && (
        <Switch
          label={successor === undefined ? d.cancelAll : d.cancelThese}
          hint={d.cancelHint}
          on={cancel}
          onChange={onCancel}
        />
      )}
    </div>
  )
}
