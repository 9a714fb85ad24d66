import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { combine, useAll, useChange, useMe } from '../core/data/data.ts'
import type { ConnectionView, MeView } from '../core/data/views.ts'
import { Confirm, CreateSheet } from '../core/dialogs.tsx'
import { Select, TextInput } from '../core/fields/fields.tsx'
import { ErrorLine } from '../core/fields/form-errors.tsx'
import { Loaded, Section } from '../core/page.tsx'
import { list, tell, words } from '../words.ts'

/** The accounts at Stripe that get the money for meetings: the user's own, and those of teams that they manage. */
export function PaymentAccounts() {
  const connections = useAll<ConnectionView>('/connections')
  const [connecting, setConnecting] = useState<string | null>()
  const t = words.paymentAccounts
  return (
    <Loaded query={combine(connections, useMe())} skeleton={null}>
      {([all, { body: me }]) => {
        const accounts = all.filter(({ provider }) => provider === 'stripe')
        const managed = me.teams.filter(({ role }) => role !== 'member')
        const without = [null, ...managed.map(({ id }) => id)].filter(
          (owner) => !accounts.some(({ teamId }) => teamId === owner),
        )
        return (
          <Section title={t.title} hint={t.hint}>
            {accounts.length > 0 && (
              <ul>
                {accounts.map((account) => (
                  <AccountRow
                    key={account.id}
                    account={account}
                    owner={ownerName(me, account.teamId ?? null)}
                    onRenew={() => setConnecting(account.teamId ?? null)}
                  />
                ))}
              </ul>
            )}
            {without.length > 0 && (
              <div className="actions">
                <Button onPress={() => setConnecting(without[0] ?? null)}>{t.connect}</Button>
              </div>
            )}
            {connecting !== undefined && (
              <ConnectSheet
                owner={connecting}
                offered={without.includes(connecting) ? without : [connecting]}
                nameOf={(owner) => ownerName(me, owner)}
                onClose={() => setConnecting(undefined)}
              />
            )}
          </Section>
        )
      }}
    </Loaded>
  )
}

const ownerName = ({ teams }: MeView, owner: string | null): string =>
  teams.find(({ id }) => id === owner)?.name ?? words.paymentAccounts.mine

interface RowProps {
  readonly account: ConnectionView
  readonly owner: string
  readonly onRenew: () => void
}

function AccountRow({
  account: { id, account, name = account, status, lastError },
  owner,
  onRenew,
}: RowProps) {
  const [removing, setRemoving] = useState(false)
  const remove = useChange(() => call(`/connections/${id}`, { method: 'DELETE' }), ['/connections'])
  const [c, t] = [words.calendars, words.paymentAccounts]
  const ended = status === 'reconnect'
  return (
    <li className="row">
      <div className="row-main">
        <p className="row-title">{name}</p>
        <p className="row-sub">
          Stripe · {owner} · {ended ? c.accessEnded : c.works}
        </p>
        {lastError !== '' && <ErrorLine>{lastError}</ErrorLine>}
      </div>
      <div className="row-tools">
        {ended && (
          <Button small label={tell(c.reconnectOf, { account: name })} onPress={onRenew}>
            {c.reconnect}
          </Button>
        )}
        <Button small label={tell(c.disconnectOf, { name })} onPress={() => setRemoving(true)}>
          {c.disconnect}
        </Button>
      </div>
      {removing && (
        <Confirm
          title={tell(c.disconnectTitle, { name })}
          confirm={c.disconnect}
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutate(undefined)}
        >
          {t.disconnectHint}
        </Confirm>
      )}
    </li>
  )
}

/** What a restricted key must be allowed to do, as Stripe's own page names it. */
const RESOURCES = ['Checkout Sessions', 'Payment Intents', 'Charges and Refunds', 'Webhook Endpoints']

/** Stripe's page for a new key, with these permissions filled in. */
const NEW_KEY = `https://dashboard.stripe.com/apikeys/create?${new URLSearchParams([
  ['name', 'Punctual'],
  ...['checkout_session', 'payment_intent', 'charge', 'webhook'].map((resource) => [
    'permissions[]',
    `rak_${resource}_write`,
  ]),
  // Disputes are compared if the key lets us.
  ['permissions[]', 'rak_dispute_read'],
])}`

interface ConnectProps {
  /** Null: the user. */
  readonly owner: string | null
  readonly offered: readonly (string | null)[]
  readonly nameOf: (owner: string | null) => string
  readonly onClose: () => void
}

function ConnectSheet({ owner: first, offered, nameOf, onClose }: ConnectProps) {
  const [owner, setOwner] = useState(first)
  const [secretKey, setSecretKey] = useState('')
  const t = words.paymentAccounts
  const connect = useChange(() => {
    const body = { provider: 'stripe', secretKey, ...(owner !== null && { teamId: owner }) }
    return call('/connections', { method: 'POST', body })
  }, ['/connections'])
  return (
    <CreateSheet
      title={t.connect}
      submit={t.submit}
      busy={connect.isPending}
      error={connect.error}
      onClose={onClose}
      onSubmit={() => connect.mutate(undefined, { onSuccess: onClose })}
    >
      {offered.length > 1 && (
        <Select
          label={t.whose}
          value={owner ?? ''}
          options={offered.map((one) => ({ id: one ?? '', label: nameOf(one) }))}
          onChange={(next) => setOwner(next === '' ? null : next)}
        />
      )}
      <TextInput
        label={t.key}
        hint={t.keyHint}
        field="secretKey"
        type="password"
        autoComplete="off"
        maxLength={500}
        required
        value={secretKey}
        onChange={setSecretKey}
      />
      <p className="hint">
        {tell(t.permissions, { resources: list(RESOURCES) })}{' '}
        <a href={NEW_KEY} target="_blank" rel="noreferrer">
          {t.create}
        </a>
      </p>
    </CreateSheet>
  )
}
