import { parentPort, Worker, workerData } from 'node:worker_threads'
import {
  createWebhookSender,
  type WebhookAnswer,
  type WebhookMessage,
  type WebhookOptions,
  type WebhookSender,
} from './webhook.ts'

/** What a thread can be told: no functions. */
export type ThreadOptions = Omit<WebhookOptions, 'resolve'>

type Numbered<T> = readonly [number, T]

/** Milliseconds. Answers that come within this time wake the others once. */
const GATHER = 5

/** Far more than thousands of messages need, and less than a thread would allow itself. */
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

interface Waiting {
  readonly resolve: (answer: WebhookAnswer) => void
  readonly reject: (error: Error) => void
}

/** Sends webhooks from a thread of its own, which keeps no process alive. */
export class SendingThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #toSend: Numbered<WebhookMessage>[] = []
  #last = 0

  /** `onEnd` is called once nothing can be sent any more. */
  constructor(options: ThreadOptions, onEnd: () => void) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: options, resourceLimits: MEMORY })
    this.#worker.unref()
    this.#worker.on('message', (answers: readonly Numbered<WebhookAnswer>[]) => {
      for (const [number, answer] of answers) {
        this.#waiting.get(number)?.resolve(answer)
        this.#waiting.delete(number)
      }
    })
    // Whatever it died of, it exits then; without a listener, that would end the process.
    this.#worker.on('error', () => {})
    this.#worker.on('exit', () => {
      onEnd()
      for (const { reject } of this.#waiting.values()) reject(new Error('The thread has ended.'))
      this.#waiting.clear()
    })
  }

  /** Throws when the thread ends before there is an answer; the message may have arrived nevertheless. */
  send(message: WebhookMessage): Promise<WebhookAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<WebhookAnswer>()
    const number = ++this.#last
    this.#waiting.set(number, { resolve, reject })
    if (this.#toSend.push([number, message]) === 1) setImmediate(() => this.#post())
    return promise
  }

  end(): void {
    void this.#worker.terminate()
  }

  #post(): void {
    this.#worker.postMessage(this.#toSend)
    this.#toSend = []
  }
}

/** What the thread itself does. */
function sendForOthers(port: NonNullable<typeof parentPort>, sender: WebhookSender): void {
  let answers: Numbered<WebhookAnswer>[] = []
  const give = () => {
    port.postMessage(answers)
    answers = []
  }
  port.on('message', (messages: readonly Numbered<WebhookMessage>[]) => {
    for (const [number, message] of messages) {
      void sender.send(message).then((answer) => {
        if (answers.push([number, answer]) === 1) setTimeout(give, GATHER)
      })
    }
  })
}

if (parentPort !== null) sendForOthers(parentPort, createWebhookSender(workerData as ThreadOptions))
