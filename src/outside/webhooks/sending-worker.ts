import { parentPort, workerData } from 'node:worker_threads'
import {
  createWebhookSender,
  type WebhookAnswer,
  type WebhookMessage,
  type WebhookOptions,
} from './webhook.ts'

/** The options of a thread, which cannot include functions. */
export type ThreadOptions = Omit<WebhookOptions, 'resolve'>

/** Answers come in any order, so messages and answers have numbers. */
export type Numbered<T> = readonly [number, T]

/** Milliseconds. Answers within this time are posted in one batch. */
const BATCH_WITHIN = 5

const sender = createWebhookSender(workerData as ThreadOptions)
let answers: Numbered<WebhookAnswer>[] = []

function postAnswers(): void {
  parentPort?.postMessage(answers)
  answers = []
}

parentPort?.on('message', (messages: readonly Numbered<WebhookMessage>[]) => {
  for (const [number, message] of messages) {
    void sender.send(message).then((answer) => {
      if (answers.push([number, answer]) === 1) setTimeout(postAnswers, BATCH_WITHIN)
    })
  }
})
