import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.ts'
import type { SinkAnswer } from './mail-sink.ts'
import type { ReceiverAnswer, ReceiverQuestion } from './receiver.ts'

export interface Arrived {
  readonly mails: number
  readonly hooks: number
}

/** The mail server and the receiver of webhooks. */
export interface Outside extends AsyncDisposable {
  readonly smtpUrl: string
  readonly hookUrl: string
  tally(): Promise<Arrived>
  /** Waits until so many have arrived since the start. */
  until(wanted: Arrived): Promise<void>
}

/** Starts both, each in a process of its own. */
export async function startOutside(): Promise<Outside> {
  const sink = startChild<{ ask: 'start' | 'tally' }, SinkAnswer>('mail-sink.ts')
  const receiver = startChild<ReceiverQuestion, ReceiverAnswer>('receiver.ts')
  const { port: smtpPort } = await sink.ask({ ask: 'start' })
  const { port: hookPort } = await receiver.ask({ ask: 'start', after: 0 })
  const tally = async () => ({
    mails: (await sink.ask({ ask: 'tally' })).count,
    hooks: (await receiver.ask({ ask: 'tally' })).count,
  })
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    hookUrl: `http://127.0.0.1:${hookPort}/hook`,
    tally,
    async until(wanted) {
      for (
        let now = await tally();
        now.mails < wanted.mails || now.hooks < wanted.hooks;
        now = await tally()
      ) {
        await sleep(50)
      }
    },
    async [Symbol.asyncDispose]() {
      await sink[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}
