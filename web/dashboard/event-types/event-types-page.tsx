import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AddButton } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { type Owner, useEventTypes, useOwners } from '../core/data/data.ts'
import type { EventTypeView } from '../core/data/views.ts'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { EmptyState, Loaded, Page } from '../core/page.tsx'
import { words } from '../words.ts'
import { EventTypeRow } from './event-type-row.tsx'
import { NewEventType } from './new-event-type.tsx'

export default function EventTypesPage() {
  const eventTypes = useEventTypes()
  const owners = useOwners()
  const [adding, setAdding] = useState(false)
  const e = words.eventTypes
  return (
    <Page
      title={e.title}
      lead={e.lead}
      actions={
        <AddButton kind="primary" onPress={() => setAdding(true)}>
          {e.add}
        </AddButton>
      }
    >
      <Loaded query={eventTypes}>
        {(all) =>
          owners.map((owner) => (
            <OwnerList
              key={owner.id}
              owner={owner}
              eventTypes={inOrder(all.filter(({ ownerId }) => ownerId === owner.id))}
              named={owners.length > 1}
            />
          ))
        }
      </Loaded>
      {adding && <NewEventType onClose={() => setAdding(false)} />}
    </Page>
  )
}

const inOrder = (all: readonly EventTypeView[]) =>
  all.toSorted((a, b) => a.position - b.position || a.id.localeCompare(b.id))

interface OwnerListProps {
  readonly owner: Owner
  readonly eventTypes: readonly EventTypeView[]
  readonly named: boolean
}

function OwnerList({ owner, eventTypes, named }: OwnerListProps) {
  const order = useOrder()
  const move = (from: number, to: number) =>
    order.mutate(eventTypes.toSpliced(from, 1).toSpliced(to, 0, eventTypes[from] as EventTypeView))
  return (
    <section className="block" aria-label={owner.name}>
      {named && <h2 className="day-head">{owner.name}</h2>}
      <ErrorAlert error={order.error} />
      {eventTypes.length === 0 ? (
        <EmptyState title={words.eventTypes.none}>{words.eventTypes.noneHint}</EmptyState>
      ) : (
        <ul className="panel">
          {eventTypes.map((eventType, index) => (
            <EventTypeRow
              key={eventType.id}
              eventType={eventType}
              owner={owner}
              {...(index > 0 && { onUp: () => move(index, index - 1) })}
              {...(index < eventTypes.length - 1 && { onDown: () => move(index, index + 1) })}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Saves a new order. The list shows it at once; if saving fails, the old order returns. */
function useOrder() {
  const client = useQueryClient()
  const key = ['all', '/event-types']
  return useMutation({
    mutationFn: async (wanted: readonly EventTypeView[]) => {
      for (const [position, { id, position: before }] of wanted.entries()) {
        if (position !== before) await call(`/event-types/${id}`, { method: 'PATCH', body: { position } })
      }
    },
    onMutate: (wanted) => {
      const before = client.getQueryData<readonly EventTypeView[]>(key)
      const positions = new Map(wanted.map(({ id }, position) => [id, position]))
      client.setQueryData<readonly EventTypeView[]>(key, (list) =>
        list?.map((one) => ({ ...one, position: positions.get(one.id) ?? one.position })),
      )
      return { before }
    },
    onError: (_error, _wanted, context) => client.setQueryData(key, context?.before),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
}
