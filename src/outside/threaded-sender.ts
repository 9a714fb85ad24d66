import { SendingThread, type ThreadOptions } from './sending-thread.ts'
import {
  createWebhookSender,
  type WebhookAnswer,
  type WebhookMessage,
  type WebhookSender,
} from './webhook.ts'

/** So many at once cost a guest nothing. With more, a thread is worth its memory. */
const FEW = 8

/** Milliseconds for which a thread is kept that has nothing to do. */
const IDLE = 60_000

/** Sends a few webhooks from here, and many from a thread, so that guests need not share the event loop with them. */
export function createThreadedSender(options: ThreadOptions): WebhookSender {
  return new ThreadedSender(options)
}

class ThreadedSender implements WebhookSender {
  readonly #options: ThreadOptions
  readonly #here: WebhookSender
  #thread: SendingThread | undefined
  #underWay = 0
  #idle: NodeJS.Timeout | undefined

  constructor(options: ThreadOptions) {
    this.#options = options
    this.#here = createWebhookSender(options)
  }

  check(url: string): Promise<URL> {
    return this.#here.check(url)
  }

  async send(message: WebhookMessage): Promise<WebhookAnswer> {
    clearTimeout(this.#idle)
    if (this.#underWay >= FEW) this.#thread ??= this.#start()
    this.#underWay++
    try {
      return await this.#sendSomewhere(message)
    } finally {
      this.#underWay--
      if (this.#underWay === 0 && this.#thread !== undefined) {
        this.#idle = setTimeout(() => this.#thread?.end(), IDLE).unref()
      }
    }
  }

  close(): void {
    clearTimeout(this.#idle)
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

  #start(): SendingThread {
    const thread: SendingThread = new SendingThread(this.#options, () => {
      if (this.#thread === thread) this.#thread = undefined
    })
    return thread
  }
}
