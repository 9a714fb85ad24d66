import { SendingThread } from './sending-thread.ts'
import type { ThreadOptions } from './sending-worker.ts'
import {
  createWebhookSender,
  type WebhookAnswer,
  type WebhookMessage,
  type WebhookSender,
} from './webhook.ts'

/** So many at once cost a guest nothing. With more, a thread is worth its memory. */
const FEW = 8

/** Milliseconds for which a thread is kept after there were many. */
const KEPT = 60_000

export interface SenderOptions extends ThreadOptions {
  /** Told why a thread has died. */
  readonly onError?: (error: Error) => void
}

/** Sends a few webhooks from here, and many from a thread, so that guests need not share the event loop with them. */
export function createThreadedSender(options: SenderOptions): WebhookSender {
  return new ThreadedSender(options)
}

class ThreadedSender implements WebhookSender {
  readonly #options: ThreadOptions
  readonly #onError: (error: Error) => void
  readonly #here: WebhookSender
  #thread: SendingThread | undefined
  #underWay = 0
  #leaving: NodeJS.Timeout | undefined

  constructor({ onError = () => {}, ...options }: SenderOptions) {
    this.#options = options
    this.#onError = onError
    this.#here = createWebhookSender(options)
  }

  check(url: string): Promise<URL> {
    return this.#here.check(url)
  }

  async send(message: WebhookMessage): Promise<WebhookAnswer> {
    if (this.#underWay >= FEW) this.#haveThread()
    this.#underWay++
    try {
      return await this.#sendSomewhere(message)
    } finally {
      this.#underWay--
    }
  }

  close(): void {
    clearTimeout(this.#leaving)
    this.#thread?.end()
    this.#here.close()
  }

  async #sendSomewhere(message: WebhookMessage): Promise<WebhookAnswer> {
    try {
      if (this.#thread !== undefined) return await this.#thread.send(message)
    } catch {
      // Nobody knows what has arrived when a thread ends. What arrives twice has the same id.
    }
    return this.#here.send(message)
  }

  #haveThread(): void {
    this.#thread ??= this.#start()
    clearTimeout(this.#leaving)
    this.#leaving = setTimeout(() => {
      this.#thread?.endWhenDone()
      this.#thread = undefined
    }, KEPT).unref()
  }

  #start(): SendingThread {
    const thread: SendingThread = new SendingThread(this.#options, (error) => {
      if (this.#thread === thread) this.#thread = undefined
      if (error !== undefined) this.#onError(error)
    })
    return thread
  }
}
