import type { Context } from '../../services/context.ts'
import { finishDeletion } from '../../services/workspace/erasure/delete-account.ts'
import type { JobOf } from '../handler.ts'

/** Deletes what is left of an account that was closed. */
export async function finishDeletingAccount(context: Context, job: JobOf<'account-delete'>): Promise<void> {
  await finishDeletion(context, job.data, job)
}
