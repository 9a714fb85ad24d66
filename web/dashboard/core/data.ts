import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ApiFailure } from '../../parts/api.ts'
import { words } from '../words.ts'
import { call, listAll, type Versioned } from './api.ts'
import type { EventTypeView, MeView } from './views.ts'

const FRESH = 30_000

/** One object with its version. */
export function useOne<T>(path: string, enabled = true) {
  return useQuery({
    queryKey: ['one', path],
    enabled,
    queryFn: ({ signal }) => call<T>(path, { signal }),
  })
}

/** A whole list. */
export function useAll<T>(path: string, enabled = true) {
  return useQuery({
    queryKey: ['all', path],
    enabled,
    staleTime: FRESH,
    queryFn: ({ signal }) => listAll<T>(path, signal),
  })
}

/** What a page needs to know of something that it has asked for. */
export interface Asked<T> {
  readonly data: T | undefined
  readonly isError: boolean
  readonly error: Error | null
  refetch(): unknown
}

/** Two as one: there once both are. For what would be wrong, and not only incomplete, without the other. */
export function together<A, B>(one: Asked<A>, other: Asked<B>): Asked<readonly [A, B]> {
  const missing = [one, other].filter(({ data }) => data === undefined)
  const failed = missing.find(({ isError }) => isError)
  return {
    data: one.data === undefined || other.data === undefined ? undefined : [one.data, other.data],
    isError: failed !== undefined,
    error: failed?.error ?? null,
    refetch: () => missing.map((each) => each.refetch()),
  }
}

export function useMe() {
  return useOne<MeView>('/me')
}

export interface Owner {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Whether the signed-in user may change what is theirs. */
  readonly manages: boolean
  readonly team: boolean
}

/** The user, then their teams. */
export function useOwners(): readonly Owner[] {
  const me = useMe().data?.body
  return useMemo(() => {
    if (me === undefined) return []
    const own = { id: me.id, slug: me.slug, name: words.you, manages: true, team: false }
    const teams = me.teams.map(({ id, slug, name, role }) => ({
      id,
      slug,
      name,
      manages: role !== 'member',
      team: true,
    }))
    return [own, ...teams]
  }, [me])
}

export function useEventTypes() {
  return useAll<EventTypeView>('/event-types')
}

/** Changes something, then forgets every list and object that begins with one of these paths. */
export function useChange<Given, Answer = unknown>(
  change: (given: Given) => Promise<Versioned<Answer>>,
  touches: readonly string[],
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      client.invalidateQueries({
        predicate: ({ queryKey }) =>
          touches.some((path) => typeof queryKey[1] === 'string' && queryKey[1].startsWith(path)),
      }),
  })
}

export function isConflict(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 412
}

/** What went wrong, in a sentence. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiFailure) || error.status === 0) return words.notReached
  if (error.message === '' || error.status >= 500) return words.serverTrouble
  return error.message
}
