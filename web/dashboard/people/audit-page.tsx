import { useOwners, usePages } from '../core/data/data.ts'
import type { AuditView } from '../core/data/views.ts'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { EmptyState, Page, RowsSkeleton, ShowMore } from '../core/page.tsx'
import { useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'

export default function AuditPage() {
  const list = usePages<AuditView>('/audit', { limit: '50' })
  const { items } = list
  const a = words.audit
  return (
    <Page title={a.title} lead={a.lead}>
      <ErrorAlert error={list.error} />
      {items === undefined && !list.isError && <RowsSkeleton rows={5} />}
      {items?.length === 0 && <EmptyState title={a.none}>{a.noneHint}</EmptyState>}
      {items !== undefined && items.length > 0 && <AuditTable entries={items} />}
      <ShowMore list={list} />
    </Page>
  )
}

/** What happened to what. Entries that are older than this page may have names it does not know. */
function changeOf({ objectType, action }: AuditView): string {
  const { objects, actions, change } = words.audit
  const known = (names: Readonly<Record<string, string>>, name: string) => names[name] ?? name
  return tell(change, { object: known(objects, objectType), action: known(actions, action) })
}

function AuditTable({ entries }: { readonly entries: readonly AuditView[] }) {
  const times = useTimes()
  const teams = useOwners().filter(({ team }) => team)
  const a = words.audit
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach what scrolls
    <section className="panel section table-scroll" tabIndex={0} aria-label={a.title}>
      <table className="table table-stacked">
        <thead>
          <tr>
            <th scope="col">{a.when}</th>
            <th scope="col">{a.who}</th>
            <th scope="col">{a.what}</th>
            <th scope="col">{a.fields}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="table-time" data-label={a.when}>
                {times.moment(entry.at)}
              </td>
              <td data-label={a.who}>
                {entry.actor}
                {entry.token !== '' && <p className="muted small">{tell(a.token, { name: entry.token })}</p>}
              </td>
              <td data-label={a.what}>
                {changeOf(entry)}
                <p className="muted small">{teams.find(({ id }) => id === entry.ownerId)?.name}</p>
              </td>
              <td className="muted small" data-label={a.fields}>
                {entry.changes.join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
