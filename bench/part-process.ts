import { fork } from 'node:child_process'
import { once } from 'node:events'
import { killGroup } from '../tools/process-group.ts'
import { TIED_TO_PARENT } from './child.ts'
import type { Row } from './table.ts'

/** What a process that measures a part sends. */
export type PartMessage = { readonly row: Row } | { readonly error: string } | { readonly done: true }

export interface PartProcess {
  /** Why not everything was measured, if so. */
  readonly failure: Promise<string | undefined>
  /** Ends the process and all its children. */
  kill(): void
}

/** Runs `script` in its own process, and ends it with all its children when it passes the limit. */
export function startPart(
  script: string,
  args: readonly string[],
  limitSeconds: number,
  onRow: (row: Row) => void,
): PartProcess {
  // Detached: in its own process group, which can be ended as a whole.
  const child = fork(script, args, { execArgv: TIED_TO_PARENT, detached: true })
  const kill = () => killGroup(child)
  const measure = async () => {
    let failure: string | undefined = 'its process ended early'
    const timer = setTimeout(() => {
      failure = `it passed its limit of ${limitSeconds} s`
      kill()
    }, limitSeconds * 1000)
    child.on('message', (message: PartMessage) => {
      if ('row' in message) onRow(message.row)
      else failure = 'error' in message ? message.error : undefined
    })
    // The last message may come after the exit, but not after the disconnect.
    await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
    clearTimeout(timer)
    kill()
    return failure
  }
  return { failure: measure(), kill }
}
