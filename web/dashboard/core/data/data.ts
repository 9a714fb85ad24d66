import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { words } from '../../words.ts'
import { call, type ListPage, listAll, type Versioned, withQuery } from './api.ts'
import type { EventTypeView, MeView } from './views.ts'

const STALE_AFTER = 30_000

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
    staleTime: STALE_AFTER,
    queryFn: ({ signal }) => listAll<T>(path, signal),
  })
}

/** A long list, page by page. */
export function usePages<T>(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  keepPrevious: (previousKey: readonly unknown[]) => boolean = () => false,
) {
  const queryKey = ['pages', path, query]
  const list = useInfiniteQuery({
    queryKey,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) =>
      (
        await call<ListPage<T>>(
          withQuery(path, { ...query, cursor: pageParam === '' ? undefined : pageParam }),
          { signal },
        )
      ).body,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (before, previous) =>
      previous !== undefined && keepPrevious(previous.queryKey) ? before : undefined,
  })
  return { ...list, queryKey, items: list.data?.pages.flatMap(({ items }) => items) }
}

/** What a page needs to know about a query. */
export interface Loadable<T> {
  readonly data: T | undefined
  readonly isError: boolean
  readonly error: Error | null
  refetch(): unknown
}

/** Two queries as one, for a page that would be wrong, and not just incomplete, with only one of them. */
export function combine<A, B>(one: Loadable<A>, other: Loadable<B>): Loadable<readonly [A, B]> {
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
  /** Whether the signed-in user may change what they own. */
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

/** Makes a change, then reloads every list and object whose path begins with one of `affected`. */
export function useChange<Given, Answer = unknown>(
  change: (given: Given) => Promise<Versioned<Answer>>,
  affected: readonly string[],
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      client.invalidateQueries({
        predicate: ({ queryKey }) =>
          affected.some((path) => typeof queryKey[1] === 'string' && queryKey[1].startsWith(path)),
      }),
  })
}
