import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../core/api.ts'
import { Button } from '../core/buttons.tsx'
import { combine, useAll, useChange, useOne } from '../core/data.ts'
import { Confirm } from '../core/dialogs.tsx'
import { ErrorAlert, ErrorLine } from '../core/form-errors.tsx'
import { Loaded, Section } from '../core/page.tsx'
import { navigate, useRoute } from '../core/router.tsx'
import type { BegunConnectionView, ConnectionView, ProvidersView } from '../core/views.ts'
import { words } from '../words.ts'
import { ChooseCalendars } from './choose-calendars.tsx'

type ProviderName = ConnectionView['provider']

/** The host's accounts at the providers that this service has a client for. Not shown without any. */
export function AccountsSection() {
  const providers = useOne<ProvidersView>('/connections/providers')
  const connections = useAll<ConnectionView>('/connections')
  const c = words.calendars
  return (
    <Loaded query={combine(providers, connections)} skeleton={null}>
      {([{ body }, accounts]) =>
        body.providers.length + accounts.length > 0 && (
          <Section title={c.accounts} hint={c.accountsHint}>
            {accounts.length > 0 && (
              <ul>
                {accounts.map((connection) => (
                  <AccountRow key={connection.id} connection={connection} />
                ))}
              </ul>
            )}
            <div className="actions">
              {body.providers.map((provider) => (
                <ConnectButton key={provider} provider={provider}>
                  {c.connectTo[provider]}
                </ConnectButton>
              ))}
            </div>
          </Section>
        )
      }
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

function AccountRow({ connection }: { readonly connection: ConnectionView }) {
  const { id, provider, account, status, lastError } = connection
  const [removing, setRemoving] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const c = words.calendars
  const remove = useChange(
    () => call(`/connections/${id}`, { method: 'DELETE' }),
    ['/connections', '/calendars'],
  )
  const ended = status === 'reconnect'
  return (
    <li className="row">
      <div className="row-main">
        <p className="row-title">{account}</p>
        <p className="row-sub">
          {c.providers[provider]} · {ended ? c.accessEnded : c.works}
        </p>
        {lastError !== '' && <ErrorLine>{lastError}</ErrorLine>}
      </div>
      <div className="row-tools">
        {ended && (
          <ConnectButton small provider={provider} label={c.reconnectOf(account)}>
            {c.reconnect}
          </ConnectButton>
        )}
        {!ended && provider !== 'zoom' && (
          <Button small label={`${c.choose}: ${account}`} onPress={() => setChoosing(true)}>
            {c.choose}
          </Button>
        )}
        <Button small label={c.disconnectOf(account)} onPress={() => setRemoving(true)}>
          {c.disconnect}
        </Button>
      </div>
      {choosing && <ChooseCalendars connection={connection} onClose={() => setChoosing(false)} />}
      {removing && (
        <Confirm
          title={c.disconnectTitle(account)}
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
  useEffect(() => {
    const outcome = query.get('connection')
    if (outcome === null) return
    const { outcomes, providers } = words.calendars
    // Anyone can make up such an address: only our own sentences are shown.
    if (Object.hasOwn(outcomes, outcome)) {
      const provider = query.get('provider') ?? ''
      const title = Object.hasOwn(providers, provider) ? providers[provider as ProviderName] : ''
      const text = outcomes[outcome as keyof typeof outcomes](title)
      setSentence({ text, good: outcome === 'connected' })
    }
    // Otherwise a reload would say it again.
    navigate(path, { replace: true })
  }, [path, query])
  return (
    <div role="status">
      {sentence && <p className={sentence.good ? 'notice-good' : 'alert'}>{sentence.text}</p>}
    </div>
  )
}
