import { useState } from 'react'
import { AddButton, Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useAll, useChange } from '../core/data/data.ts'
import type { TokenView } from '../core/data/views.ts'
import { Confirm } from '../core/dialogs.tsx'
import { Switch } from '../core/fields/fields.tsx'
import { EmptyState, Loaded, Page } from '../core/page.tsx'
import { useTimes } from '../core/time/times.ts'
import { list, tell, words } from '../words.ts'
import { NewToken } from './new-token.tsx'

export default function TokensPage() {
  const tokens = useAll<TokenView>('/tokens')
  const [adding, setAdding] = useState(false)
  const [revoking, setRevoking] = useState<TokenView>()
  const t = words.tokens
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <AddButton kind="primary" onPress={() => setAdding(true)}>
          {t.add}
        </AddButton>
      }
    >
      <Loaded query={tokens}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={t.none}>{t.noneHint}</EmptyState>
          ) : (
            <ul className="panel">
              {all.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {adding && <NewToken onClose={() => setAdding(false)} />}
      {revoking && <RevokeToken token={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  )
}

function TokenRow({ token, onRevoke }: { readonly token: TokenView; readonly onRevoke: () => void }) {
  const times = useTimes()
  const t = words.tokens
  const { name, scopes, createdAt, expiresAt } = token
  const works = worksOf(token)
  return (
    <li className="row">
      <div className="row-main">
        <p className="row-title">{name}</p>
        <p className="row-sub">
          {scopes.includes('write') ? t.write : t.read} · {tell(t.created, { time: times.moment(createdAt) })}{' '}
          · {expiresAt === null ? t.forever : tell(t.until, { time: times.moment(expiresAt) })}
        </p>
        {works.length > 0 && <p className="row-sub">{tell(t.made, { works: list(works) })}</p>}
      </div>
      <Button small label={`${t.revoke}: ${name}`} onPress={onRevoke}>
        {t.revoke}
      </Button>
    </li>
  )
}

function RevokeToken({ token, onClose }: { readonly token: TokenView; readonly onClose: () => void }) {
  const t = words.tokens
  const works = worksOf(token)
  const [end, setEnd] = useState(works.length > 0)
  const revoke = useChange(
    () => call(`/tokens/${token.id}${end ? '?end=true' : ''}`, { method: 'DELETE' }),
    ['/tokens', '/webhooks', '/calendars'],
  )
  return (
    <Confirm
      title={tell(t.revokeTitle, { name: token.name })}
      confirm={t.revoke}
      busy={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onClose })}
    >
      <p>{t.revokeHint}</p>
      {works.length > 0 && (
        <Switch label={t.endWorks} hint={tell(t.made, { works: list(works) })} on={end} onChange={setEnd} />
      )}
    </Confirm>
  )
}

/** Names of what a token made. */
function worksOf({ made }: TokenView): string[] {
  const t = words.tokens
  return [
    ...made.webhooks.map(({ url }) => tell(t.webhook, { host: URL.parse(url)?.host ?? url })),
    ...made.calendars.map(({ name }) => tell(t.calendar, { name })),
    ...(made.feed ? [t.feed] : []),
  ]
}
