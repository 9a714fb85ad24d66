import { randomUUID } from 'node:crypto'
import type { ChangeNotification, LifecycleEventType, Subscription } from '@microsoft/microsoft-graph-types'
import { createPushes, type Pushes } from './pushes.ts'
import { type Answer, type Asked, jsonOf } from './stand-in.ts'

/** A subscription that is active. */
export interface GraphSubscription {
  readonly id: string
  readonly subject: string
  readonly calendarId: string
  readonly notificationUrl: string
  readonly lifecycleNotificationUrl: string
  readonly clientState: string
  readonly expiresAt: number
}

/** Subscriptions of Graph, as its guides on change notifications describe them. */
export interface GraphSubscriptions {
  readonly pushes: Pushes
  readonly active: readonly GraphSubscription[]
  create(asked: Asked, subject: string, owns: (calendarId: string) => boolean): Promise<Answer>
  renew(asked: Asked, subject: string, id: string): Answer
  remove(subject: string, id: string): Answer
  changed(calendarId: string): void
  /** Forgets all subscriptions. */
  endAll(): void
  /** Tells everyone about their subscription, and ends it if that is what it says. */
  lifecycle(event: LifecycleEventType): void
}

const FIELDS = [
  'changeType',
  'notificationUrl',
  'lifecycleNotificationUrl',
  'resource',
  'expirationDateTime',
  'clientState',
  'latestSupportedTlsVersion',
]
const MINUTE = 60_000
const LONGEST = 10_080 * MINUTE
const SHORTEST = 45 * MINUTE

export function graphSubscriptions(
  now: () => number,
  refuse: (status: number, code: string) => Answer,
): GraphSubscriptions {
  const pushes = createPushes()
  let all: GraphSubscription[] = []

  const isActive = ({ expiresAt }: GraphSubscription) => expiresAt > now()
  const viewOf = ({ clientState, expiresAt, subject, calendarId, ...subscription }: GraphSubscription) => ({
    '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#subscriptions/$entity',
    ...subscription,
    resource: `me/calendars/${calendarId}/events`,
    changeType: 'created,updated,deleted',
    creatorId: subject,
    clientState: null,
    expirationDateTime: `${new Date(expiresAt).toISOString().slice(0, -1)}0000Z`,
  })
  const expiryOf = (text: string | undefined) => {
    const wanted = Date.parse(text ?? '')
    return wanted > now() && wanted <= now() + LONGEST ? Math.max(wanted, now() + SHORTEST) : undefined
  }
  function tell(subscription: GraphSubscription, address: string, more: ChangeNotification): void {
    const notice: ChangeNotification = {
      subscriptionId: subscription.id,
      subscriptionExpirationDateTime: new Date(subscription.expiresAt).toISOString(),
      clientState: subscription.clientState,
      tenantId: '84bd8158-6d4d-4958-8b9f-9d6445542f95',
      ...more,
    }
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    pushes.send({ address, headers, body: JSON.stringify({ value: [notice] }) })
  }

  /** "The client must respond with 200, text/plain, and the decoded token within 10 seconds." */
  async function isValidated(address: string): Promise<boolean> {
    const token = `Validation: Testing client application reachability for ${randomUUID()} + "<ü>"`
    const answer = await pushes.post({
      address: `${address}?validationToken=${encodeURIComponent(token)}`,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: '',
    })
    const isText = answer?.headers.get('content-type')?.startsWith('text/plain') === true
    return answer?.status === 200 && isText && (await answer.text()) === token
  }

  return {
    pushes,
    get active() {
      return all.filter(isActive)
    },
    async create(asked, subject, owns) {
      const given = jsonOf<Subscription>(asked)
      const unknown = Object.keys(given).find((name) => !FIELDS.includes(name))
      if (unknown !== undefined) return refuse(400, `InvalidRequest ${unknown}`)
      const { notificationUrl = '', lifecycleNotificationUrl, clientState, resource = '' } = given
      const addresses = [notificationUrl, lifecycleNotificationUrl ?? '']
      if (addresses.some((address) => !address.startsWith('https://'))) return refuse(400, 'InvalidRequest')
      const changes = new Set((given.changeType ?? '').split(','))
      if (!['created', 'updated', 'deleted'].every((type) => changes.has(type)))
        return refuse(400, 'InvalidRequest')
      if (!clientState || clientState.length > 128) return refuse(400, 'InvalidRequest')
      const calendarId = /^me\/calendars\/([^/]+)\/events$/.exec(resource)?.[1] ?? ''
      if (!owns(calendarId)) return refuse(404, 'ResourceNotFound')
      const expiresAt = expiryOf(given.expirationDateTime)
      if (expiresAt === undefined) return refuse(400, 'ExtensionError')
      for (const address of addresses) {
        if (!(await isValidated(address))) return refuse(400, 'ValidationError')
      }
      const made = {
        id: randomUUID(),
        subject,
        calendarId,
        notificationUrl,
        lifecycleNotificationUrl: lifecycleNotificationUrl ?? '',
        clientState,
        expiresAt,
      }
      all.push(made)
      await pushes.beforeAnswer()
      return { status: 201, body: viewOf(made) }
    },
    renew(asked, subject, id) {
      const found = all.find((one) => one.id === id && one.subject === subject && isActive(one))
      if (found === undefined) return refuse(404, 'ResourceNotFound')
      const { expirationDateTime, ...others } = jsonOf<Subscription>(asked)
      const expiresAt = expiryOf(expirationDateTime)
      if (expiresAt === undefined || Object.keys(others).length > 0) return refuse(400, 'InvalidRequest')
      const renewed = { ...found, expiresAt }
      all = all.map((one) => (one === found ? renewed : one))
      return { status: 200, body: viewOf(renewed) }
    },
    remove(subject, id) {
      const found = all.find((one) => one.id === id && one.subject === subject)
      if (found === undefined) return refuse(404, 'ResourceNotFound')
      all = all.filter((one) => one !== found)
      return { status: 204 }
    },
    endAll() {
      all = []
    },
    changed(calendarId) {
      for (const subscription of all.filter(isActive)) {
        if (subscription.calendarId !== calendarId) continue
        tell(subscription, subscription.notificationUrl, {
          id: randomUUID(),
          changeType: 'updated',
          resource: `Users/${subscription.subject}/Events/AAMk`,
        })
      }
    },
    lifecycle(lifecycleEvent) {
      for (const subscription of all.filter(isActive)) {
        if (lifecycleEvent === 'subscriptionRemoved') all = all.filter((one) => one !== subscription)
        tell(subscription, subscription.lifecycleNotificationUrl, { lifecycleEvent })
      }
    },
  }
}
