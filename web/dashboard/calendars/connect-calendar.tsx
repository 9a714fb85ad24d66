import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../core/data/api.ts'
import { useChange } from '../core/data/data.ts'
import { calendarLabel, useKinds } from '../core/data/kinds.ts'
import type { FoundCalendarsView } from '../core/data/views.ts'
import { CreateSheet } from '../core/dialogs.tsx'
import { Segments, Select, Switch, TextInput } from '../core/fields/fields.tsx'
import { words } from '../words.ts'

/** Connects a link at once; for an account on a server, its calendars are looked up first. */
export function ConnectCalendar({ onClose }: { readonly onClose: () => void }) {
  const kinds = useKinds().data?.body.kinds ?? []
  // Calendars of other kinds come with a connected account.
  const offered = kinds.filter(({ calendars }) => calendars === 'link' || calendars === 'server')
  const [chosenKind, setKind] = useState<string>()
  const kind = offered.find((one) => one.name === chosenKind) ?? offered[0]
  const isLink = kind?.calendars !== 'server'
  const [account, setAccount] = useState<Account>({ url: '', username: '', password: '' })
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [writeTo, setWriteTo] = useState(false)
  const c = words.calendars
  const discover = useMutation({
    mutationFn: () =>
      call<FoundCalendarsView>('/calendars/discover', {
        method: 'POST',
        body: { kind: kind?.name, ...account },
      }),
    onSuccess: ({ body }) => setChosen(body.calendars[0]?.url),
  })
  const found = discover.data?.body.calendars
  const picked = found?.find(({ url }) => url === chosen)
  const connect = useChange(() => {
    const { url, username, password } = account
    const body = isLink
      ? { kind: kind?.name, name, url }
      : { kind: kind?.name, name: name || picked?.name, url: picked?.url, username, password, writeTo }
    return call('/calendars', { method: 'POST', body })
  }, ['/calendars'])
  const ready = isLink || picked !== undefined
  return (
    <CreateSheet
      title={c.add}
      submit={ready ? c.connect : c.discover}
      busy={connect.isPending || discover.isPending}
      error={discover.error ?? connect.error}
      onClose={onClose}
      onSubmit={() => (ready ? connect.mutate(undefined, { onSuccess: onClose }) : discover.mutate())}
    >
      <Segments
        label={c.kind}
        value={kind?.name ?? ''}
        options={offered.map((one) => ({ id: one.name, label: calendarLabel(kinds, one.name) }))}
        onChange={(next) => {
          setKind(next)
          discover.reset()
        }}
      />
      <p className="hint">{c.wayHints[isLink ? 'link' : 'server']}</p>
      <AccountFields isLink={isLink} account={account} onChange={setAccount} />
      {found?.length === 0 && <p>{c.noneFound}</p>}
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
      {ready && <TextInput label={words.name} field="name" maxLength={200} value={name} onChange={setName} />}
    </CreateSheet>
  )
}

interface Account {
  readonly url: string
  readonly username: string
  readonly password: string
}

interface AccountProps {
  readonly isLink: boolean
  readonly account: Account
  readonly onChange: (account: Account) => void
}

function AccountFields({ isLink, account, onChange }: AccountProps) {
  const c = words.calendars
  return (
    <>
      <TextInput
        label={isLink ? c.feedUrl : c.server}
        field="url"
        type="url"
        placeholder="https://"
        maxLength={2000}
        value={account.url}
        onChange={(url) => onChange({ ...account, url })}
      />
      {!isLink && (
        <div className="columns">
          <TextInput
            label={c.username}
            field="username"
            maxLength={200}
            value={account.username}
            onChange={(username) => onChange({ ...account, username })}
          />
          <TextInput
            label={c.password}
            hint={c.passwordHint}
            field="password"
            type="password"
            autoComplete="new-password"
            maxLength={1000}
            value={account.password}
            onChange={(password) => onChange({ ...account, password })}
          />
        </div>
      )}
    </>
  )
}
