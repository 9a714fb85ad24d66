import type { PlannedSetting } from '../../domain/imports/plan.ts'
import { Problem } from '../../domain/problem.ts'
import type { Context } from '../context.ts'
import { openAccount } from './open-account.ts'
import type { PlannedImport, Preparation } from './plan.ts'
import { openSecret } from './their-secrets.ts'

/** Tries the connections that are about to be made. One that does not work stays out, and its line says why. */
export async function openAccounts(
  context: Context,
  { id }: Pick<PlannedImport, 'id'>,
  { tasks, objects, opened, outcomes }: Preparation,
  items: readonly PlannedSetting[],
  onProgress: () => Promise<void>,
): Promise<void> {
  for (const item of items) {
    const isDue = item.kind === 'connection' && tasks.get(item.key) === 'make' && !objects.has(item.key)
    if (!isDue) continue
    await onProgress()
    try {
      opened.set(item.key, await openAccount(context, item, await openSecret(context, id, item.key)))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      outcomes.set(item.key, { state: 'left-out', sentence: error.sentence })
    }
  }
}
