import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Live } from '../../parts/live.tsx'
import { AddButton } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { type Owner, useEventTypes, useOwners } from '../core/data/data.ts'
import type { EventTypeView } from '../core/data/views.ts'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { moved } from '../core/fields/ordered.tsx'
import { DownIcon, UpIcon } from '../core/icons.tsx'
import { EmptyState, Loaded, Page } from '../core/page.tsx'
import { Link, useAdding } from '../core/router.tsx'
import { byName, ListToolbar, useTyped } from '../core/sorting.tsx'
import { WindowedList } from '../core/windowed.tsx'
import { tell, words } from '../words.ts'
import { EventTypeRow } from './event-type-row.tsx'
import { NewEventType } from './new-event-type.tsx'

const SORTS = ['own', 'name', 'newest'] as const

type Sort = (typeof SORTS)[number]

export default function EventTypesPage() {
  const eventTypes = useEventTypes()
  const owners = useOwners()
  const [adding, setAdding] = useAdding()
  const [sort, setSort] = useState<Sort>('own')
  const { typed, setTyped, isSearching, fits } = useTyped()
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
        {(all) => {
          const found = all.filter(({ name, slug }) => fits(name, [slug]))
          return (
            <>
              {all.length > 1 && (
                <ListToolbar typed={typed} onType={setTyped} sort={sort} sorts={SORTS} onSort={setSort} />
              )}
              {all.length === 0 && (
                <p className="muted block">
                  {e.comingFrom} <Link to="/app/move-in">{words.nav.moveIn}</Link>
                </p>
              )}
              {isSearching && found.length === 0 && <EmptyState title={words.lists.none} />}
              {owners.map((owner) => (
                <OwnerList
                  key={owner.id}
                  owner={owner}
                  eventTypes={inOrder(
                    found.filter(({ ownerId }) => ownerId === owner.id),
                    sort,
                  )}
                  named={owners.length > 1}
                  isSearching={isSearching}
                  isOrdered={sort === 'own' && !isSearching}
                />
              ))}
            </>
          )
        }}
      </Loaded>
      {adding && <NewEventType onClose={() => setAdding(false)} />}
    </Page>
  )
}

function inOrder(all: readonly EventTypeView[], sort: Sort): readonly EventTypeView[] {
  if (sort === 'name') return all.toSorted(byName)
  if (sort === 'newest') return all.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  return all.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
}

interface OwnerListProps {
  readonly owner: Owner
  readonly eventTypes: readonly EventTypeView[]
  readonly named: boolean
  readonly isSearching: boolean
  /** Whether the list is in the order that can be changed. */
  readonly isOrdered: boolean
}

function OwnerList({ owner, eventTypes, named, isSearching, isOrdered }: OwnerListProps) {
  const order = useOrder(owner)
  const [folded, setFolded] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const move = (from: number, to: number) => {
    const moving = eventTypes[from]
    if (moving === undefined || to < 0 || to >= eventTypes.length || to === from) return
    order.mutate(moved(eventTypes, from, to))
    setAnnouncement(tell(words.lists.moved, { name: moving.name, to: to + 1, count: eventTypes.length }))
  }
  if (isSearching && eventTypes.length === 0) return null
  return (
    <section className="block" aria-label={owner.name}>
      {named && (
        <div className="group-head">
          <h2 className="day-head">{owner.name}</h2>
          <span className="muted small">{eventTypes.length}</span>
          <button
            type="button"
            className="round"
            aria-expanded={!folded}
            aria-label={tell(folded ? words.lists.show : words.lists.hide, { name: owner.name })}
            onClick={() => setFolded(!folded)}
          >
            {folded ? <DownIcon size={16} /> : <UpIcon size={16} />}
          </button>
        </div>
      )}
      <ErrorAlert error={order.error} />
      <Live>{announcement}</Live>
      {eventTypes.length === 0 && (
        <EmptyState title={words.eventTypes.none}>{words.eventTypes.noneHint}</EmptyState>
      )}
      {eventTypes.length > 0 && !folded && (
        <WindowedList className="panel" items={eventTypes} onMove={move}>
          {(eventType, place) => (
            <EventTypeRow
              key={eventType.id}
              eventType={eventType}
              owner={owner}
              place={place}
              {...(isOrdered &&
                owner.manages &&
                eventTypes.length > 1 && { onMove: (to: number) => move(place.index, to) })}
              count={eventTypes.length}
            />
          )}
        </WindowedList>
      )}
    </section>
  )
}

/** Saves a new order. The list shows it at once; if saving fails, the old order returns. */
function useOrder({ id: ownerId, team }: Owner) {
  const client = useQueryClient()
  const key = ['all', '/event-types']
  return useMutation({
    mutationFn: (wanted: readonly EventTypeView[]) =>
      call('/event-types/order', {
        method: 'PUT',
        body: { ids: wanted.map(({ id }) => id), ...(team && { teamId: ownerId }) },
      }),
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
