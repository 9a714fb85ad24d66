import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../core/api.ts'
import { Action, Segments, Select, Switch, TextInput, Trouble } from '../core/controls.tsx'
import { useAll, useChange } from '../core/data.ts'
import { Confirm, Sheet } from '../core/dialogs.tsx'
import { PlusIcon } from '../core/icons.tsx'
import { Empty, Loaded, Page, Section } from '../core/page.tsx'
import { ShownOnce } from '../core/shown-once.tsx'
import { useTimes } from '../core/times.ts'
import type { CalendarView } from '../core/views.ts'
import { words } from '../words.ts'

export default function CalendarsPage() {
  const calendars = useAll<CalendarView>('/calendars')
  const [adding, setAdding] = useState(false)
  const c = words.calendars
  return (
    <Page
      title={c.title}
      lead={c.lead}
      actions={
        <Action kind="main" onPress={() => setAdding(true)}>
          <PlusIcon size={16} />
          {c.add}
        </Action>
      }
    >
      <Loaded query={calendars}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={c.none}>{c.noneHint}</Empty>
          ) : (
            <ul className="panel rows">
              {all.map((calendar) => (
                <Calendar key={calendar.id} calendar={calendar} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <Feed />
      {adding && <AddCalendar onClose={() => setAdding(false)} />}
    </Page>
  )
}

function Calendar({ calendar }: { readonly calendar: CalendarView }) {
  const path = `/calendars/${calendar.id}`
  const times = useTimes()
  const [removing, setRemoving] = useState(false)
  const c = words.calendars
  const change = useChange(
    (body: { busy?: boolean; writeTo?: boolean }) => call(path, { method: 'PATCH', body }),
    ['/calendars'],
  )
  const refresh = useChange(() => call(`${path}/refresh`, { method: 'POST', body: {} }), ['/calendars'])
  const remove = useChange(() => call(path, { method: 'DELETE' }), ['/calendars'])
  return (
    <li className="row">
      <div className="min-w-0 flex-1 basis-64">
        <p className="row-title m-0">{calendar.name}</p>
        <p className="row-sub">
          {c.kinds[calendar.kind]} ·{' '}
          {calendar.refreshedAt === null
            ? c.notYet
            : c.readAt(times.moment(calendar.refreshedAt), calendar.busyTimes)}
          {calendar.skippedEvents > 0 && ` · ${c.skipped(calendar.skippedEvents)}`}
        </p>
        {calendar.lastError !== '' && <p className="error mt-1">{calendar.lastError}</p>}
      </div>
      <div className="grid gap-2">
        <Switch label={c.busy} on={calendar.busy} onChange={(busy) => change.mutate({ busy })} />
        {calendar.kind === 'caldav' && (
          <Switch
            label={c.writeTo}
            on={calendar.writeTo}
            onChange={(writeTo) => change.mutate({ writeTo })}
          />
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Action
          small
          busy={refresh.isPending}
          label={`${c.refresh}: ${calendar.name}`}
          onPress={() => refresh.mutate(undefined)}
        >
          {c.refresh}
        </Action>
        <Action small label={words.removeOf(calendar.name)} onPress={() => setRemoving(true)}>
          {words.remove}
        </Action>
      </div>
      {(change.isError || refresh.isError) && (
        <div className="basis-full">
          <Trouble error={change.error ?? refresh.error} />
        </div>
      )}
      {removing && (
        <Confirm
          title={c.removeTitle(calendar.name)}
          confirm={words.remove}
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutate(undefined)}
        >
          {c.removeHint}
        </Confirm>
      )}
    </li>
  )
}

/** The host's own bookings, for a calendar program. */
function Feed() {
  const [open, setOpen] = useState(false)
  const c = words.calendars
  const rotate = useMutation({
    mutationFn: () => call<{ url: string }>('/me/calendar-feed', { method: 'POST', body: {} }),
  })
  const end = useMutation({ mutationFn: () => call('/me/calendar-feed', { method: 'DELETE' }) })
  return (
    <Section title={c.feed} hint={c.feedHint}>
      <Trouble error={rotate.error ?? end.error} />
      <div className="flex flex-wrap gap-3">
        <Action
          busy={rotate.isPending}
          onPress={() => rotate.mutate(undefined, { onSuccess: () => setOpen(true) })}
        >
          {c.feedNew}
        </Action>
        <Action busy={end.isPending} onPress={() => end.mutate()}>
          {c.feedEnd}
        </Action>
        {end.isSuccess && (
          <p className="m-0 self-center text-muted" role="status">
            {c.feedEnded}
          </p>
        )}
      </div>
      {open && rotate.data !== undefined && (
        <Sheet title={c.feedReady} onClose={() => setOpen(false)} alert>
          <ShownOnce secret={rotate.data.body.url} onDone={() => setOpen(false)} />
        </Sheet>
      )}
    </Section>
  )
}

interface FoundCalendar {
  readonly url: string
  readonly name: string
  readonly writable: boolean
}

function AddCalendar({ onClose }: { readonly onClose: () => void }) {
  const [kind, setKind] = useState<CalendarView['kind']>('feed')
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [writeTo, setWriteTo] = useState(false)
  const c = words.calendars
  const discover = useMutation({
    mutationFn: () =>
      call<{ calendars: readonly FoundCalendar[] }>('/calendars/discover', {
        method: 'POST',
        body: { url, username, password },
      }),
    onSuccess: ({ body }) => setChosen(body.calendars[0]?.url),
  })
  const found = discover.data?.body.calendars
  const picked = found?.find((one) => one.url === chosen)
  const add = useChange(
    () =>
      call('/calendars', {
        method: 'POST',
        body:
          kind === 'feed'
            ? { kind, name, url }
            : { kind, name: name || picked?.name, url: picked?.url, username, password, writeTo },
      }),
    ['/calendars'],
  )
  const ready = kind === 'feed' || picked !== undefined
  return (
    <Sheet title={c.add} onClose={onClose}>
      <Segments
        label={c.kind}
        value={kind}
        options={[
          { id: 'feed', label: c.kinds.feed },
          { id: 'caldav', label: c.kinds.caldav },
        ]}
        onChange={(next) => {
          setKind(next)
          discover.reset()
        }}
      />
      <p className="hint">{c.kindHints[kind]}</p>
      <TextInput
        label={kind === 'feed' ? c.feedUrl : c.server}
        type="url"
        placeholder="https://"
        maxLength={2000}
        value={url}
        onChange={setUrl}
      />
      {kind === 'caldav' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextInput label={c.username} maxLength={200} value={username} onChange={setUsername} />
          <TextInput
            label={c.password}
            hint={c.passwordHint}
            type="password"
            autoComplete="new-password"
            maxLength={1000}
            value={password}
            onChange={setPassword}
          />
        </div>
      )}
      {found !== undefined && found.length === 0 && <p className="m-0">{c.noneFound}</p>}
      {found !== undefined && found.length > 0 && (
        <>
          <Select
            label={c.which}
            value={chosen ?? ''}
            options={found.map((one) => ({ id: one.url, label: one.name }))}
            onChange={setChosen}
          />
          {picked?.writable && (
            <Switch label={c.writeTo} hint={c.writeToHint} on={writeTo} onChange={setWriteTo} />
          )}
        </>
      )}
      {(kind === 'feed' || picked !== undefined) && (
        <TextInput label={c.name} maxLength={200} value={name} onChange={setName} />
      )}
      <Trouble error={discover.error ?? add.error} />
      <div className="flex flex-wrap justify-end gap-3">
        <Action onPress={onClose}>{words.cancel}</Action>
        {ready ? (
          <Action
            kind="main"
            busy={add.isPending}
            onPress={() => add.mutate(undefined, { onSuccess: onClose })}
          >
            {c.connect}
          </Action>
        ) : (
          <Action kind="main" busy={discover.isPending} onPress={() => discover.mutate()}>
            {c.discover}
          </Action>
        )}
      </div>
    </Sheet>
  )
}
