import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { combine, useAll, useChange, useOne } from '../core/data/data.ts'
import { type KindView, titleOf, useKinds } from '../core/data/kinds.ts'
import type { BegunConnectionView, ConnectionView, ProvidersView } from '../core/data/views.ts'
import { Confirm } from '../core/dialogs.tsx'
import { ErrorAlert, ErrorLine } from '../core/fields/form-errors.tsx'
import { Loaded, Section } from '../core/page.tsx'
import { navigate, useRoute } from '../core/router.tsx'
import { list, tell, words } from '../words.ts'
import { ChooseCalendars } from './choose-calendars.tsx'

type ProviderName = ConnectionView['provider']

/** The host's accounts at other providers. Those that the operator has not set up can't be connected yet. */
export function AccountsSection() {
  const providers = combine(useOne<ProvidersView>('/connections/providers'), useKinds())
  const connections = useAll<ConnectionView>('/connections')
  const c = words.calendars
  return (
    <Loaded query={combine(providers, connections)} skeleton={null}>
      {([[{ body }, { body: known }], all]) => {
        const accounts = all.filter(({ provider }) => provider !== 'stripe')
        const missing = known.kinds.filter(({ account, name }) => account && !body.providers.includes(name))
        return (
          <Section title={c.accounts} hint={c.accountsHint}>
            {accounts.length > 0 && (
              <ul>
                {accounts.map((connection) => (
                  <AccountRow key={connection.id} connection={connection} kinds={known.kinds} />
                ))}
              </ul>
            )}
            <div className="actions">
              {body.providers.map((provider) => (
                <ConnectButton key={provider} provider={provider}>
                  {tell(c.connectTo, { provider: titleOf(known.kinds, provider) })}
                </ConnectButton>
              ))}
              {missing.map(({ name, title }) => (
                <button
                  key={name}
                  type="button"
                  className="button button-quiet"
                  disabled
                  aria-describedby="not-set-up"
                >
                  {tell(c.connectTo, { provider: title })}
                </button>
              ))}
            </div>
            {missing.length > 0 && (
              <p className="hint" id="not-set-up">
                {tell(c.notSetUp, { providers: list(missing.map(({ title }) => title)) })}
              </p>
            )}
          </Section>
        )
      }}
    </Loaded>
  )
}

interface ConnectProps {
  readonly provider: ProviderName
  readonly children: string
  readonly label?: string
  readonly small?: boolean
}

/** Leaves for the provider's page, which sends the browser back here. */
function ConnectButton({ provider, children, label, small = false }: ConnectProps) {
  const begin = useMutation({
    mutationFn: () =>
      // The cookie shows, when the browser comes back, that it is the one that left.
      call<BegunConnectionView>('/connections', { method: 'POST', body: { provider }, cookies: true }),
    onSuccess: ({ body }) => location.assign(body.authorizationUrl),
  })
  return (
    <>
      <Button
        small={small}
        busy={begin.isPending || begin.isSuccess}
        {...(label !== undefined && { label })}
        onPress={() => begin.mutate()}
      >
        {children}
      </Button>
      {begin.isError && <ErrorAlert error={begin.error} />}
    </>
  )
}

interface AccountProps {
  readonly connection: ConnectionView
  readonly kinds: readonly KindView[]
}

function AccountRow({ connection, kinds }: AccountProps) {
  const { id, provider, account, status, lastError } = connection
  const [removing, setRemoving] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const c = words.calendars
  const remove = useChange(
    () => call(`/connections/${id}`, { method: 'DELETE' }),
    ['/connections', '/calendars'],
  )
  const ended = status === 'reconnect'
  const hasCalendars = kinds.some(({ name, calendars }) => name === provider && calendars !== '')
  return (
    <li className="row">
      <div className="row-main">
        <p className="row-title">{account}</p>
        <p className="row-sub">
          {titleOf(kinds, provider)} · {ended ? c.accessEnded : c.works}
        </p>
        {lastError !== '' && <ErrorLine>{lastError}</ErrorLine>}
      </div>
      <div className="row-tools">
        {ended && (
          <ConnectButton small provider={provider} label={tell(c.reconnectOf, { account })}>
            {c.reconnect}
          </ConnectButton>
        )}
        {!ended && hasCalendars && (
          <Button small label={`${c.choose}: ${account}`} onPress={() => setChoosing(true)}>
            {c.choose}
          </Button>
        )}
        <Button small label={tell(c.disconnectOf, { name: account })} onPress={() => setRemoving(true)}>
          {c.disconnect}
        </Button>
      </div>
      {choosing && <ChooseCalendars connection={connection} onClose={() => setChoosing(false)} />}
      {removing && (
        <Confirm
          title={tell(c.disconnectTitle, { name: account })}
          confirm={c.disconnect}
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutate(undefined)}
        >
          {c.removeAccountHint}
        </Confirm>
      )}
    </li>
  )
}

/** How connecting an account ended, when the browser has just come back from the provider. */
export function ConnectOutcome() {
  const { path, query } = useRoute()
  const [sentence, setSentence] = useState<{ readonly text: string; readonly good: boolean }>()
  const known = useKinds()
  const [outcome, provider] = [query.get('connection'), query.get('provider')]
  // Its title is not known earlier. Where it can't be found out, the sentence does without.
  const kinds = known.data?.body.kinds ?? (known.isError ? [] : undefined)
  useEffect(() => {
    if (outcome === null || kinds === undefined) return
    const { outcomes } = words.calendars
    const kind = kinds.find(({ name }) => name === provider)
    const said = outcome === 'missing-scope' && kind?.asksPermissions === false ? 'app-lacks-scope' : outcome
    // Anyone can make up such an address: only our own sentences are shown.
    if (Object.hasOwn(outcomes, said)) {
      const text = tell(outcomes[said as keyof typeof outcomes], { provider: kind?.title ?? '' })
      setSentence({ text, good: outcome === 'connected' })
    }
    // Otherwise a reload would say it again.
    navigate(path, { replace: true })
  }, [path, outcome, provider, kinds])
  return (
    <div role="status">
      {sentence && <p className={sentence.good ? 'notice-good' : 'alert'}>{sentence.text}</p>}
    </div>
  )
}
