import { useQuery } from '@tanstack/react-query'
import { listAll } from './api.ts'
import { useMe, useOwners } from './data.ts'
import type { MemberView } from './views.ts'

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
