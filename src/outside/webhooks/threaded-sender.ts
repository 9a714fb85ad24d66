import { SendingThread } from './sending-thread.ts'
import type { ThreadOptions } from './sending-worker.ts'
import {
  createWebhookSender,
  type WebhookAnswer,
  type WebhookMessage,
  type WebhookSender,
} from './webhook.ts'

/** Up to this many at once do not slow down requests. Above, a thread is worth its memory. */
const FEW = 8

/** Milliseconds that an idle thread is kept. */
const KEPT = 60_000

interface SenderOptions extends ThreadOptions {
  /** Called with the error if a thread crashes. */
  readonly onError?: (error: Error) => void
}

/** Sends a few webhooks from the event loop, and many from a thread, so that requests stay fast. */
export function createThreadedSender(options: SenderOptions): WebhookSender {
  return new ThreadedSender(options)
}

class ThreadedSender implements WebhookSender {
  readonly #options: ThreadOptions
  readonly #onError: (error: Error) => void
  readonly #local: WebhookSender
  #thread: SendingThread | undefined
  #inFlight = 0
  #endTimer: NodeJS.Timeout | undefined

  constructor({ onError = () => {}, ...options }: SenderOptions) {
    this.#options = options
    this.#onError = onError
    this.#local = createWebhookSender(options)
  }

  check(url: string): Promise<URL> {
    return this.#local.check(url)
  }

  async send(message: WebhookMessage): Promise<WebhookAnswer> {
    if (this.#inFlight >= FEW) this.#ensureThread()
    this.#inFlight++
    try {
      return await this.#sendWithFallback(message)
    } finally {
      this.#inFlight--
    }
  }

  close(): void {
    clearTimeout(this.#endTimer)
    this.#thread?.end()
    this.#local.close()
  }

  async #sendWithFallback(message: WebhookMessage): Promise<WebhookAnswer> {
    try {
      if (this.#thread !== undefined) return await this.#thread.send(message)
    } catch {
      // When a thread ends, it is unknown what has arrived. A repeated message has the same id.
    }
    return this.#local.send(message)
  }

  #ensureThread(): void {
    this.#thread ??= this.#start()
    clearTimeout(this.#endTimer)
    this.#endTimer = setTimeout(() => {
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
