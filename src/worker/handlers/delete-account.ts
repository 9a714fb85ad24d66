import type { Job } from '../../domain/job.ts'
import type { Context } from '../../services/context.ts'
import { type AccountDeletion, finishDeletion } from '../../services/workspace/erasure/delete-account.ts'

/** Deletes what is left of an account that was closed. */
export async function finishDeletingAccount(context: Context, job: Job): Promise<void> {
  await finishDeletion(context, job.data as AccountDeletion, job)
}
