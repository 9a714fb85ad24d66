import { TryAgainAt } from '../../domain/job.ts'
import { english } from '../../domain/sentence.ts'
import type { Context } from '../../services/context.ts'
import { continueApplying } from '../../services/imports/apply.ts'
import type { JobOf } from '../handler.ts'

/** Applies an import, or goes on with it. */
export async function applyImport(context: Context, job: JobOf<'import-apply'>): Promise<void> {
  const again = await continueApplying(context, job.data)
  if (again !== undefined) throw new TryAgainAt(again, english`Another process applies this import.`)
}
