import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { writeDuration } from '../../../src/format/duration.ts'
import { useSpeech } from '../../parts/texts.tsx'
import { call } from '../core/api.ts'
import { Action, CopyButton, NumberInput, Select, TextInput, Trouble } from '../core/controls.tsx'
import { type Owner, useAll, useChange, useEventTypes, useOwners } from '../core/data.ts'
import { Confirm, Sheet } from '../core/dialogs.tsx'
import { DotsIcon, DownIcon, PlusIcon, UpIcon } from '../core/icons.tsx'
import { Empty, Loaded, Page, RowsSkeleton } from '../core/page.tsx'
import { usePublicUrl } from '../core/public-url.ts'
import { Link, navigate } from '../core/router.tsx'
import { slugOf } from '../core/slug-of.ts'
import type { EventTypeView, MemberView } from '../core/views.ts'
import { words } from '../words.ts'

export default function EventTypesPage() {
  const eventTypes = useEventTypes()
  const owners = useOwners()
  const [adding, setAdding] = useState(false)
  const add = (
    <Action kind="main" onPress={() => setAdding(true)}>
      <PlusIcon size={16} />
      {words.eventTypes.add}
    </Action>
  )
  return (
    <Page title={words.eventTypes.title} lead={words.eventTypes.lead} actions={add}>
      <Loaded query={eventTypes} skeleton={<RowsSkeleton rows={4} />}>
        {(all) =>
          owners.map((owner) => (
            <OwnerList
              key={owner.id}
              owner={owner}
              all={all.filter(({ ownerId }) => ownerId === owner.id)}
              several={owners.length > 1}
            />
          ))
        }
      </Loaded>
      {adding && <AddEventType owners={owners} onClose={() => setAdding(false)} />}
    </Page>
  )
}

const inOrder = (all: readonly EventTypeView[]) =>
  all.toSorted((a, b) => a.position - b.position || a.id.localeCompare(b.id))

interface OwnerListProps {
  readonly owner: Owner
  readonly all: readonly EventTypeView[]
  readonly several: boolean
}

function OwnerList({ owner, all, several }: OwnerListProps) {
  const sorted = inOrder(all)
  const client = useQueryClient()
  const order = useMutation({
    mutationFn: async (wanted: readonly EventTypeView[]) => {
      for (const [position, { id, position: before }] of wanted.entries()) {
        if (position !== before) await call(`/event-types/${id}`, { method: 'PATCH', body: { position } })
      }
    },
    // It is where it was put at once; a failure puts it back.
    onMutate: (wanted) => {
      const key = ['all', '/event-types']
      const before = client.getQueryData<readonly EventTypeView[]>(key)
      const positions = new Map(wanted.map(({ id }, position) => [id, position]))
      client.setQueryData<readonly EventTypeView[]>(key, (list) =>
        list?.map((one) => ({ ...one, position: positions.get(one.id) ?? one.position })),
      )
      return { before }
    },
    onError: (_error, _wanted, context) => client.setQueryData(['all', '/event-types'], context?.before),
    onSettled: () => client.invalidateQueries({ queryKey: ['all', '/event-types'] }),
  })
  const move = (from: number, to: number) => {
    const wanted = [...sorted]
    const [moved] = wanted.splice(from, 1)
    if (moved !== undefined) wanted.splice(to, 0, moved)
    order.mutate(wanted)
  }
  return (
    <section className="mt-6" aria-label={owner.name}>
      {several && <h2 className="day-head">{owner.name}</h2>}
      <Trouble error={order.error} />
      {sorted.length === 0 ? (
        <Empty title={words.eventTypes.none}>{words.eventTypes.noneHint}</Empty>
      ) : (
        <ul className="panel rows">
          {sorted.map((eventType, index) => (
            <Row
              key={eventType.id}
              eventType={eventType}
              owner={owner}
              {...(index > 0 && { onUp: () => move(index, index - 1) })}
              {...(index < sorted.length - 1 && { onDown: () => move(index, index + 1) })}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

interface RowProps {
  readonly eventType: EventTypeView
  readonly owner: Owner
  readonly onUp?: () => void
  readonly onDown?: () => void
}

function Row({ eventType, owner, onUp, onDown }: RowProps) {
  const { locale } = useSpeech()
  const publicUrl = usePublicUrl()
  const { id, name, slug, hidden } = eventType
  const link = `${publicUrl}/${owner.slug}/${slug}`
  const [removing, setRemoving] = useState(false)
  const change = useChange(
    ({ method, path, body }: { method: 'PATCH' | 'POST' | 'DELETE'; path: string; body?: object }) =>
      call<EventTypeView>(path, { method, body }),
    ['/event-types'],
  )
  return (
    <li className="row" data-faded={hidden || undefined}>
      {owner.manages && (
        <div className="order">
          <button type="button" aria-label={words.moveUp(name)} disabled={onUp === undefined} onClick={onUp}>
            <UpIcon size={16} />
          </button>
          <button
            type="button"
            aria-label={words.moveDown(name)}
            disabled={onDown === undefined}
            onClick={onDown}
          >
            <DownIcon size={16} />
          </button>
        </div>
      )}
      <div className="min-w-0 flex-1 basis-48">
        <Link className="row-title" to={`/app/event-types/${id}`}>
          {name}
        </Link>
        <p className="row-sub">
          {writeDuration(locale.tag, eventType.durationMinutes)} · {words.locations[eventType.location.type]}
          {eventType.requiresApproval && ` · ${words.eventTypes.approvalShort}`}
          {eventType.seats > 1 && ` · ${words.eventTypes.seatsShort(eventType.seats)}`}
          {hidden && ` · ${words.eventTypes.hiddenShort}`}
        </p>
      </div>
      <div className="flex items-center gap-2">
        <CopyButton text={link}>{words.copyLink}</CopyButton>
        <MenuTrigger>
          <Button className="round" aria-label={`${words.moreActions}: ${name}`}>
            <DotsIcon />
          </Button>
          <Popover className="popover" placement="bottom end">
            <Menu
              className="menu"
              onAction={(key) => {
                if (key === 'open') window.open(link, '_blank', 'noreferrer')
                if (key === 'hide')
                  change.mutate({ method: 'PATCH', path: `/event-types/${id}`, body: { hidden: !hidden } })
                if (key === 'clone')
                  change.mutate(
                    { method: 'POST', path: `/event-types/${id}/clone` },
                    { onSuccess: ({ body }) => navigate(`/app/event-types/${body.id}`) },
                  )
                if (key === 'delete') setRemoving(true)
              }}
            >
              <MenuItem id="open">{words.eventTypes.open}</MenuItem>
              {owner.manages ? (
                <>
                  <MenuItem id="hide">{hidden ? words.eventTypes.show : words.eventTypes.hide}</MenuItem>
                  <MenuItem id="clone">{words.eventTypes.clone}</MenuItem>
                  <MenuItem id="delete" className="menu-danger">
                    {words.delete}
                  </MenuItem>
                </>
              ) : null}
            </Menu>
          </Popover>
        </MenuTrigger>
      </div>
      {change.isError && !removing && (
        <div className="basis-full">
          <Trouble error={change.error} />
        </div>
      )}
      {removing && (
        <Confirm
          title={words.eventTypes.deleteTitle(name)}
          confirm={words.delete}
          busy={change.isPending}
          error={change.error}
          onClose={() => {
            change.reset()
            setRemoving(false)
          }}
          onConfirm={() => change.mutate({ method: 'DELETE', path: `/event-types/${id}` })}
        >
          {words.eventTypes.deleteHint}
        </Confirm>
      )}
    </li>
  )
}

interface AddProps {
  readonly owners: readonly Owner[]
  readonly onClose: () => void
}

function AddEventType({ owners, onClose }: AddProps) {
  const managed = owners.filter(({ manages }) => manages)
  const [ownerId, setOwnerId] = useState(managed[0]?.id ?? '')
  const owner = managed.find(({ id }) => id === ownerId)
  const members = useAll<MemberView>(`/teams/${ownerId}/members`, owner?.team === true)
  const [name, setName] = useState('')
  const [slug, setSlug] = useState<string>()
  const [minutes, setMinutes] = useState<number | null>(30)
  const publicUrl = usePublicUrl()
  const add = useChange(
    () =>
      call<EventTypeView>('/event-types', {
        method: 'POST',
        body: {
          name,
          slug: slug ?? slugOf(name),
          durationMinutes: minutes,
          ...(owner?.team && {
            teamId: owner.id,
            hosts: members.data?.map(({ userId }) => ({ userId, fixed: false })) ?? [],
            assignment: 'round-robin',
          }),
        },
      }),
    ['/event-types'],
  )
  return (
    <Sheet title={words.eventTypes.add} onClose={onClose}>
      {managed.length > 1 && (
        <Select
          label={words.owner}
          value={ownerId}
          options={managed.map(({ id, name: label }) => ({ id, label }))}
          onChange={setOwnerId}
          hint={owner?.team ? words.eventTypes.teamHint : undefined}
        />
      )}
      <TextInput
        label={words.name}
        placeholder={words.welcome.eventDefault}
        maxLength={200}
        value={name}
        onChange={setName}
      />
      <TextInput
        label={words.eventTypes.address}
        prefix={`${publicUrl.replace(/^https?:\/\//, '')}/${owner?.slug ?? ''}/`}
        maxLength={64}
        value={slug ?? slugOf(name)}
        onChange={setSlug}
      />
      <NumberInput
        label={words.eventTypes.duration}
        unit={words.units.minutes}
        value={minutes}
        onChange={setMinutes}
      />
      <Trouble error={add.error} />
      <div className="flex flex-wrap justify-end gap-3">
        <Action onPress={onClose}>{words.cancel}</Action>
        <Action
          kind="main"
          busy={add.isPending}
          onPress={() =>
            add.mutate(undefined, { onSuccess: ({ body }) => navigate(`/app/event-types/${body.id}`) })
          }
        >
          {words.eventTypes.create}
        </Action>
      </div>
    </Sheet>
  )
}
