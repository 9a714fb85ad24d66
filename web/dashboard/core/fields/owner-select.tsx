import { useState } from 'react'
import { words } from '../../words.ts'
import { type Owner, useOwners } from '../data/data.ts'
import { Select } from './fields.tsx'

/** Who will own something new: the user, or a team that they manage. */
export function useOwnerChoice() {
  const owners = useOwners().filter(({ manages }) => manages)
  const [chosen, choose] = useState<string>()
  return { owners, owner: owners.find(({ id }) => id === chosen) ?? owners[0], choose }
}

interface Props {
  readonly choice: ReturnType<typeof useOwnerChoice>
  readonly hint?: string | undefined
  readonly onChange?: () => void
}

/** Shown only where there is a choice. */
export function OwnerSelect({ choice, hint, onChange }: Props) {
  const { owners, owner, choose } = choice
  if (owners.length < 2) return null
  return (
    <Select
      label={words.owner}
      hint={hint}
      field="teamId"
      value={owner?.id ?? ''}
      options={owners.map(({ id, name }) => ({ id, label: name }))}
      onChange={(id) => {
        choose(id)
        onChange?.()
      }}
    />
  )
}

/** How a request names its owner: not at all for the user themself. */
export const teamOf = (owner: Owner | undefined) => (owner?.team ? { teamId: owner.id } : {})
