import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PUSH_KINDS, type PushKind } from '../../../src/domain/push/push.ts'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useOne } from '../core/data/data.ts'
import { HostApiFailure } from '../core/data/errors.ts'
import type { PushSubscriptionView, PushView } from '../core/data/views.ts'
import { Checkboxes } from '../core/fields/fields.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { Loaded, RowsSkeleton, Section } from '../core/page.tsx'
import { useTimes } from '../core/time/times.ts'
import { canNotify, presentSubscription, subscribeBrowser } from '../core/worker.ts'
import { tell, words } from '../words.ts'

/** Notifications in the user's browsers, unless the operator has turned them off. */
export function NotificationsSection() {
  const own = useOne<PushView>('/me/push')
  const here = useQuery({ queryKey: HERE, queryFn: presentSubscription })
  const p = words.push
  if (own.data?.body.publicKey === null) return null
  return (
    <Section title={p.title} hint={p.lead}>
      <Loaded query={own} skeleton={<RowsSkeleton rows={1} />}>
        {({ body }) => <Browsers own={body} endpoint={here.data?.endpoint} />}
      </Loaded>
    </Section>
  )
}

const HERE = ['here', '/me/push']

interface BrowsersProps {
  readonly own: PushView
  /** Of this browser. */
  readonly endpoint: string | undefined
}

function Browsers({ own: { publicKey, items }, endpoint }: BrowsersProps) {
  const here = items.find((item) => item.endpoint === endpoint)
  return (
    <>
      {here !== undefined ? (
        <Here subscription={here} />
      ) : canNotify() ? (
        <TurnOn publicKey={publicKey ?? ''} />
      ) : (
        <p className="muted">{words.push.unsupported}</p>
      )}
      <Others items={items.filter((item) => item !== here)} />
    </>
  )
}

/** Like `useChange`, and asks the browser again, too. */
function usePushChange<Given>(change: (given: Given) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/me/push' }),
  })
}

function TurnOn({ publicKey }: { readonly publicKey: string }) {
  const p = words.push
  const turnOn = usePushChange(async () => {
    const subscription = await subscribeBrowser(publicKey)
    if (subscription === undefined)
      throw new HostApiFailure(403, Notification.permission === 'denied' ? p.denied : p.failed)
    await call('/me/push', { method: 'POST', body: { subscription: subscription.toJSON() } })
  })
  return (
    <>
      <ErrorAlert error={turnOn.error} />
      {Notification.permission === 'denied' && !turnOn.isError && <p className="muted">{p.denied}</p>}
      <div>
        <Button busy={turnOn.isPending} onPress={() => turnOn.mutate(undefined)}>
          {p.turnOn}
        </Button>
      </div>
    </>
  )
}

function Here({ subscription: { endpoint, kinds } }: { readonly subscription: PushSubscriptionView }) {
  const p = words.push
  const [chosen, setChosen] = useState(kinds)
  const choose = usePushChange(async (now: readonly PushKind[]) => {
    const subscription = (await presentSubscription())?.toJSON()
    await call('/me/push', { method: 'POST', body: { subscription, kinds: now } })
  })
  const test = useMutation({
    mutationFn: () => call('/me/push/test', { method: 'POST', body: { subscription: { endpoint } } }),
  })
  const turnOff = usePushChange(async () => {
    await removeAt(endpoint)
    await (await presentSubscription())?.unsubscribe()
  })
  return (
    <>
      <ErrorAlert error={choose.error ?? test.error ?? turnOff.error} />
      <Checkboxes
        label={p.about}
        options={PUSH_KINDS.map((id) => ({ id, label: p.kinds[id] }))}
        chosen={chosen}
        onChange={(given) => {
          const now = PUSH_KINDS.filter((kind) => given.includes(kind))
          setChosen(now)
          choose.mutate(now, { onError: () => setChosen(kinds) })
        }}
      />
      <div className="actions">
        <Button busy={test.isPending} onPress={() => test.mutate()}>
          {p.test}
        </Button>
        <Button busy={turnOff.isPending} onPress={() => turnOff.mutate(undefined)}>
          {p.turnOff}
        </Button>
      </div>
      <p role="status" className={test.isSuccess ? 'muted' : undefined}>
        {test.isSuccess && p.testSent}
      </p>
    </>
  )
}

const removeAt = (endpoint: string) =>
  call('/me/push', { method: 'DELETE', body: { subscription: { endpoint } } })

/** The user's other browsers. */
function Others({ items }: { readonly items: readonly PushSubscriptionView[] }) {
  const times = useTimes()
  const turnOff = usePushChange(removeAt)
  const p = words.push
  if (items.length === 0) return null
  return (
    <>
      <ErrorAlert error={turnOff.error} />
      <ul className="rows-inner">
        {items.map(({ endpoint, createdAt }) => {
          const time = times.moment(createdAt)
          return (
            <li key={endpoint} className="row">
              <div className="row-main">
                <p className="row-title">{p.another}</p>
                <p className="row-sub">{tell(p.since, { time })}</p>
              </div>
              <Button small label={tell(p.otherOffOf, { time })} onPress={() => turnOff.mutate(endpoint)}>
                {p.otherOff}
              </Button>
            </li>
          )
        })}
      </ul>
    </>
  )
}
