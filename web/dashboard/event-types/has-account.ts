import { type Owner, useAll } from '../core/data/data.ts'
import type { ConnectionView } from '../core/data/views.ts'

/** Whether someone gets the money for this owner's meetings; undefined: not known yet. */
export function useHasAccount({ id, team }: Owner): boolean | undefined {
  const accounts = useAll<ConnectionView>('/connections').data
  return accounts?.some(({ provider, teamId }) => provider === 'stripe' && teamId === (team ? id : null))
}
