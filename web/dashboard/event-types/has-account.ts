import { type Owner, useAll } from '../core/data/data.ts'

/** Whether someone gets the money for this owner's meetings; undefined: not known yet. */
export function useHasAccount({ id }: Owner): boolean | undefined {
  const accounts = useAll<{ readonly provider: string; readonly ownerId?: string }>('/connections').data
  return accounts?.some(({ provider, ownerId }) => provider === 'stripe' && ownerId === id)
}
