import { Worker } from 'node:worker_threads'
import type { Numbered, ThreadOptions } from './sending-worker.ts'
import type { WebhookAnswer, WebhookMessage } from './webhook.ts'

/** Far more than thousands of messages need, and less than a thread's default. */
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

interface Waiting {
  readonly resolve: (answer: WebhookAnswer) => void
  readonly reject: (error: Error) => void
}

/** Sends webhooks from a thread, which does not keep the process alive. */
export class SendingThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #toSend: Numbered<WebhookMessage>[] = []
  #last = 0
  #ending = false

  /** `onEnd` is called when the thread has ended, with the error if it crashed. */
  constructor(options: ThreadOptions, onEnd: (error: Error | undefined) => void) {
    this.#worker = new Worker(new URL('./sending-worker.ts', import.meta.url), {
      workerData: options,
      resourceLimits: MEMORY,
    })
    this.#worker.unref()
    this.#worker.on('message', (answers: readonly Numbered<WebhookAnswer>[]) => {
      for (const [number, answer] of answers) {
        this.#waiting.get(number)?.resolve(answer)
        this.#waiting.delete(number)
      }
      if (this.#ending && this.#waiting.size === 0) this.end()
    })
    let reason: Error | undefined
    // The thread exits after that.
    this.#worker.on('error', (error: Error) => {
      reason = error
    })
    this.#worker.on('exit', () => {
      onEnd(reason)
      for (const { reject } of this.#waiting.values()) reject(new Error('The thread has ended.'))
      this.#waiting.clear()
    })
  }

  /** Throws if the thread ends before there is an answer; the message may have arrived anyway. */
  send(message: WebhookMessage): Promise<WebhookAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<WebhookAnswer>()
    const number = ++this.#last
    this.#waiting.set(number, { resolve, reject })
    if (this.#toSend.push([number, message]) === 1) setImmediate(() => this.#post())
    return promise
  }

  /** Ends the thread once all messages have an answer. Send nothing more after this. */
  endWhenDone(): void {
    this.#ending = true
    if (this.#waiting.size === 0) this.end()
  }

  end(): void {
    void this.#worker.terminate()
  }

  #post(): void {
    this.#worker.postMessage(this.#toSend)
    this.#toSend = []
  }
}
