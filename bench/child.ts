import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A separate process that answers one question at a time. */
export interface Child<Question, Answer> extends AsyncDisposable {
  ask(question: Question): Promise<Answer>
}

type Reply<Answer> = { readonly answer: Answer } | { readonly error: string }

/** Node options that end a child with its parent, even after `kill -9`. */
export const TIED_TO_PARENT = ['--import', new URL('../tools/end-with-parent.mjs', import.meta.url).href]

/** Starts `file` of this folder, which must call `answerParent`. */
export function startChild<Question extends object, Answer>(file: string): Child<Question, Answer> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, { execArgv: TIED_TO_PARENT })
  return {
    ask: (question) => ask(child, file, question),
    [Symbol.asyncDispose]: () => endOf(child),
  }
}

function ask<Answer>(child: ChildProcess, file: string, question: object): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const onExit = () => reject(new Error(`${file} ended without an answer`))
  child.once('exit', onExit)
  child.once('message', (reply: Reply<Answer>) => {
    child.off('exit', onExit)
    if ('error' in reply) reject(new Error(reply.error))
    else resolve(reply.answer)
  })
  child.send(question)
  return promise
}

/** The other side of `startChild`: answers every question with the result of `answer`. */
export function answerParent<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('message', async (question: Question) => {
    try {
      process.send?.({ answer: await answer(question) })
    } catch (error) {
      process.send?.({ error: (error as Error).message })
    }
  })
}

/** Asks a process to stop, and kills it after five seconds. */
export async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(timer)
}
