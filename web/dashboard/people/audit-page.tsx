import { useInfiniteQuery } from '@tanstack/react-query'
import { type Page as ApiPage, call, withQuery } from '../core/api.ts'
import { Action, Trouble } from '../core/controls.tsx'
import { useOwners } from '../core/data.ts'
import { Empty, Page, RowsSkeleton } from '../core/page.tsx'
import { useTimes } from '../core/times.ts'
import type { AuditView } from '../core/views.ts'
import { words } from '../words.ts'

export default function AuditPage() {
  const times = useTimes()
  const owners = useOwners()
  const a = words.audit
  const list = useInfiniteQuery({
    queryKey: ['pages', '/audit'],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) =>
      (
        await call<ApiPage<AuditView>>(
          withQuery('/audit', { limit: '50', cursor: pageParam === '' ? undefined : pageParam }),
          { signal },
        )
      ).body,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const found = list.data?.pages.flatMap(({ items }) => items)
  return (
    <Page title={a.title} lead={a.lead}>
      <Trouble error={list.error} />
      {found === undefined && !list.isError && <RowsSkeleton rows={5} />}
      {found?.length === 0 && <Empty title={a.none}>{a.noneHint}</Empty>}
      {found !== undefined && found.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <section className="panel section table-scroll" tabIndex={0} aria-label={a.title}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{a.when}</th>
                <th scope="col">{a.who}</th>
                <th scope="col">{a.what}</th>
                <th scope="col">{a.fields}</th>
              </tr>
            </thead>
            <tbody>
              {found.map((entry) => (
                <tr key={entry.id}>
                  <td className="whitespace-nowrap">{times.moment(entry.at)}</td>
                  <td className="wrap-anywhere">{entry.actor}</td>
                  <td>
                    {entry.objectType.replaceAll('-', ' ')} {entry.action}
                    <span className="block text-sm text-muted">
                      {owners.find(({ id, team }) => id === entry.ownerId && team)?.name}
                    </span>
                  </td>
                  <td className="text-sm text-muted wrap-anywhere min-w-32">{entry.changes.join(', ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {list.hasNextPage && (
        <div className="mt-6 text-center">
          <Action busy={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            {words.more}
          </Action>
        </div>
      )}
    </Page>
  )
}
