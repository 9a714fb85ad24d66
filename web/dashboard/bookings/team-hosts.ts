import { useQuery } from '@tanstack/react-query'
import { listAll } from '../core/data/api.ts'
import { useMe, useOwners } from '../core/data/data.ts'
import type { MemberView } from '../core/data/views.ts'

/** Someone who hosts meetings. */
export interface TeamHost {
  readonly id: string
  readonly label: string
}

/** Everyone in the user's teams, the user first. */
export function useTeamHosts(): readonly TeamHost[] {
  const me = useMe().data?.body
  const teamIds = useOwners()
    .filter(({ team }) => team)
    .map(({ id }) => id)
  const members = useQuery({
    queryKey: ['all', '/teams', 'members', teamIds],
    enabled: teamIds.length > 0,
    queryFn: ({ signal }) =>
      Promise.all(teamIds.map((id) => listAll<MemberView>(`/teams/${id}/members`, signal))),
  })
  const names = new Map([
    ...(me === undefined ? [] : [[me.id, me.name] as const]),
    ...(members.data ?? []).flat().map(({ userId, name }) => [userId, name] as const),
  ])
  return [...names].map(([id, label]) => ({ id, label }))
}

/** How many colours there are to tell hosts apart. */
const COLOURS = 8

/** The colour of a host, the same on every page. */
export function colourOf(hostId: string): number {
  let sum = 0
  for (const letter of hostId.replaceAll('-', '').slice(-8))
    sum = (sum * 16 + Number.parseInt(letter, 16)) % 9973
  return sum % COLOURS
}

/** The first letters of a name, where there is no picture. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
