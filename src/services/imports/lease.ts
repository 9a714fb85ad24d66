import type { ImportState } from '../../domain/imports/plan.ts'
import { updateImport } from '../../store/imports/imports.ts'
import type { Context } from '../context.ts'

/** A process that works on an import says so at least this often; if it has not, it has died. */
export const LEASE = 60_000

/** How far an import has come. */
export interface Progress {
  readonly done: number
  readonly total: number
}

/** Often enough for those who watch, and seldom enough to cost nothing. */
const INTERVAL = 500

/** Counts what is done of an import, and keeps it leased. */
export function progressOf(
  { db, now }: Context,
  importId: string,
  state: ImportState,
  total: number,
  tell: (progress: Progress) => void,
) {
  let done = 0
  let saved = 0
  const save = async (progress: Progress) => {
    tell(progress)
    if (now() - saved < INTERVAL) return
    saved = now()
    await updateImport(db, importId, state, { ...progress, leasedUntil: now() + LEASE })
  }
  return {
    add: async (count: number) => {
      done += count
      await save({ done, total })
    },
    /** For those who know themselves how far they are. */
    set: save,
  }
}
