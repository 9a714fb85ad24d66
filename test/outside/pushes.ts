/** What becomes of a notice: it may be lost, come twice, or wait until the test lets it go. */
export type Fate = 'sent' | 'lost' | 'doubled' | 'late'

/** A notice that a stand-in sends. */
export interface Push {
  /** An https address, as we have given it to the provider. */
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How a stand-in sends notices: over a real socket, to where an https address really is. */
export interface Pushes {
  /** Says where an origin can be reached, as its proxy would. */
  reach(origin: string, url: string): void
  /** Decides over each notice; all are sent unless a test says otherwise. */
  fate: () => Fate
  /** Called when a channel is open, before we are told so. */
  beforeAnswer: () => Promise<void>
  /** The statuses that we have answered. */
  readonly statuses: readonly number[]
  send(push: Push): void
  /** Sends what is late, and waits until all is answered. */
  settled(options?: { readonly late?: boolean }): Promise<void>
  /** Posts to an https address and returns the answer; undefined if nobody is there. */
  post(push: Push): Promise<Response | undefined>
}

export function createPushes(): Pushes {
  const origins = new Map<string, string>()
  const statuses: number[] = []
  const underWay = new Set<Promise<void>>()
  let late: Push[] = []

  async function post({ address, headers, body }: Push): Promise<Response | undefined> {
    const { origin, pathname, search } = new URL(address)
    const url = origins.get(origin)
    if (url === undefined) return undefined
    return fetch(`${url}${pathname}${search}`, { method: 'POST', headers, body }).catch(() => undefined)
  }
  function deliver(push: Push): void {
    const sent = post(push).then(async (answer) => {
      await answer?.body?.cancel()
      if (answer !== undefined) statuses.push(answer.status)
    })
    underWay.add(sent)
    void sent.finally(() => underWay.delete(sent))
  }
  const pushes: Pushes = {
    reach: (origin, url) => void origins.set(origin, url),
    fate: () => 'sent',
    beforeAnswer: async () => {},
    statuses,
    send(push) {
      const fate = pushes.fate()
      if (fate === 'late') late.push(push)
      if (fate === 'sent' || fate === 'doubled') deliver(push)
      if (fate === 'doubled') deliver(push)
    },
    async settled({ late: sendLate = true } = {}) {
      const waiting = sendLate ? late : []
      late = sendLate ? [] : late
      for (const push of waiting) deliver(push)
      while (underWay.size > 0) await Promise.all(underWay)
    },
    post,
  }
  return pushes
}
