import { createHmac } from 'node:crypto'

/** An address to which an account's notices are sent. */
export interface OutsideEndpoint {
  readonly id: string
  readonly account: string
  readonly url: string
  readonly secret: string
  readonly events: readonly string[]
  readonly apiVersion: string
}

/** A notice on its way. */
export interface OutsideNotice {
  readonly id: string
  readonly type: string
  readonly url: string
  readonly secret: string
  readonly body: string
  /** When it happened; each sending is signed anew, unless it is delayed. */
  readonly at: number
}

/** What a receiver answered. */
export interface Delivered {
  readonly notice: OutsideNotice
  readonly status: number
}

export interface StripeNotices {
  /** All that were to be sent, oldest first. */
  readonly all: readonly OutsideNotice[]
  /** Those that are kept back now. */
  readonly held: readonly OutsideNotice[]
  /** What came of those that were sent. */
  readonly delivered: readonly Delivered[]
  /** Keeps all notices back from now on. */
  hold(): void
  /** Sends those that were kept back, in this order, and keeps none from now on. */
  release(order?: (held: readonly OutsideNotice[]) => readonly OutsideNotice[]): Promise<void>
  /** The same in an order that `random`, from [0, 1), gives. */
  shuffle(random: () => number): Promise<void>
  /** Sends each notice this many times at once from now on. */
  double(times?: number): void
  /** Sends what is not taken again after `wait`, this often at most, from now on. Stripe does so for three days. */
  persist(tries: number, wait: () => Promise<unknown>): void
  /** Loses all notices, or all of those types, from now on; `false`: none. */
  lose(which?: boolean | RegExp): void
  /** Sends it now, signed now or with the time and the secret that are given. Resolves with the status of the answer. */
  send(
    notice: OutsideNotice,
    signedWith?: { readonly at?: number; readonly secret?: string },
  ): Promise<number>
}

/** Hands a notice over. */
export type Deliver = (
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number }>

/** As Stripe signs: the seconds and the body, with the endpoint's secret. */
export function signNotice(body: string, secret: string, seconds: number): string {
  const v1 = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${v1}`
}

const overTheNetwork: Deliver = (url, body, headers) => fetch(url, { method: 'POST', body, headers })

/** Sends notices, and loses, doubles and mixes them as a test says. */
export function noticesOf({
  now,
  deliver = overTheNetwork,
}: {
  readonly now: () => number
  readonly deliver?: Deliver | undefined
}): StripeNotices & {
  tell(endpoint: OutsideEndpoint, event: object & { id: string; type: string }): Promise<void>
} {
  const all: OutsideNotice[] = []
  const delivered: Delivered[] = []
  let held: OutsideNotice[] = []
  const state = {
    holds: false,
    times: 1,
    lost: false as boolean | RegExp,
    tries: 1,
    wait: async (): Promise<unknown> => undefined,
  }

  const send: StripeNotices['send'] = async (notice, { at = now(), secret = notice.secret } = {}) => {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': signNotice(notice.body, secret, Math.floor(at / 1000)),
    }
    // A receiver that is away hears nothing.
    const { status } = await deliver(notice.url, notice.body, headers).catch(() => ({ status: 0 }))
    delivered.push({ notice, status })
    return status
  }

  const sendUntilTaken = async (notice: OutsideNotice) => {
    for (let tries = 1; ; tries += 1) {
      const status = await send(notice)
      if ((status >= 200 && status < 300) || tries >= state.tries) return
      await state.wait()
    }
  }
  const sendAll = async (notice: OutsideNotice) => {
    await Promise.all(Array.from({ length: state.times }, () => sendUntilTaken(notice)))
  }

  const release: StripeNotices['release'] = async (order = (given) => given) => {
    const given = order(held)
    state.holds = false
    held = []
    for (const notice of given) await sendAll(notice)
  }

  return {
    all,
    get held() {
      return held
    },
    delivered,
    hold: () => {
      state.holds = true
    },
    release,
    shuffle: (random) =>
      release((given) =>
        given
          .map((notice) => ({ notice, place: random() }))
          .sort((one, other) => one.place - other.place)
          .map(({ notice }) => notice),
      ),
    double: (times = 2) => {
      state.times = times
    },
    persist: (tries, wait) => {
      state.tries = tries
      state.wait = wait
    },
    lose: (which = true) => {
      state.lost = which
    },
    send,
    async tell(endpoint, event) {
      const { lost } = state
      const { url, secret } = endpoint
      const body = JSON.stringify({ ...event, api_version: endpoint.apiVersion }, null, 2)
      const notice = { id: event.id, type: event.type, url, secret, body, at: now() }
      all.push(notice)
      if (lost === true || (lost instanceof RegExp && lost.test(event.type))) return
      if (state.holds) held.push(notice)
      else await sendAll(notice)
    },
  }
}
