import { parentPort, workerData } from 'node:worker_threads'
import {
  createWebhookSender,
  type WebhookAnswer,
  type WebhookMessage,
  type WebhookOptions,
} from './webhook.ts'

/** What a thread can be told: no functions. */
export type ThreadOptions = Omit<WebhookOptions, 'resolve'>

/** Messages are answered in any order, so both bear a number. */
export type Numbered<T> = readonly [number, T]

/** Milliseconds. Answers that come within this time wake the others once. */
const GATHER = 5

const sender = createWebhookSender(workerData as ThreadOptions)
let answers: Numbered<WebhookAnswer>[] = []

function give(): void {
  parentPort?.postMessage(answers)
  answers = []
}

parentPort?.on('message', (messages: readonly Numbered<WebhookMessage>[]) => {
  for (const [number, message] of messages) {
    void sender.send(message).then((answer) => {
      if (answers.push([number, answer]) === 1) setTimeout(give, GATHER)
    })
  }
})
