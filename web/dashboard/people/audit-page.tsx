import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { addDays } from '../../parts/time/dates.ts'
import { Button } from '../core/buttons.tsx'
import { withQuery } from '../core/data/api.ts'
import { useOwners, usePages } from '../core/data/data.ts'
import { saveFile } from '../core/data/save-file.ts'
import type { AuditView } from '../core/data/views.ts'
import { Select, TextInput } from '../core/fields/fields.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { useSettled, useTyped } from '../core/fields/typed.ts'
import { EmptyState, Page, RowsSkeleton, ShowMore } from '../core/page.tsx'
import { Link, navigate, useRoute } from '../core/router.tsx'
import { formatInstant, instantAt, useTimes } from '../core/time/times.ts'
import { list as inOrder, tell, words } from '../words.ts'

const NAMES = ['actor', 'action', 'objectType', 'from', 'to'] as const

/** What the log is narrowed to; empty: no limit. Dates are days in the host's zone, both included. */
type Filters = { readonly [Name in (typeof NAMES)[number]]: string }

export default function AuditPage() {
  const { query } = useRoute()
  const { zone } = useTimes()
  const filters = Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ''])) as Filters
  const wanted = toQuery(filters, zone)
  const list = usePages<AuditView>('/audit', { ...wanted, limit: '50' })
  const download = useMutation({ mutationFn: () => saveFile(withQuery('/audit.csv', wanted), 'audit.csv') })
  const { items } = list
  const a = words.audit
  const filtered = NAMES.some((name) => filters[name] !== '')
  return (
    <Page
      wide
      title={a.title}
      lead={a.lead}
      actions={
        <Button busy={download.isPending} onPress={() => download.mutate()}>
          {words.bookings.csv}
        </Button>
      }
    >
      <FilterFields
        filters={filters}
        onChange={(next) => navigate(withQuery('/app/audit', given(next)), { replace: true })}
      />
      <ErrorAlert error={download.error ?? list.error} />
      {items === undefined && !list.isError && <RowsSkeleton rows={5} />}
      {items?.length === 0 && (
        <EmptyState title={filtered ? a.noneFiltered : a.none}>{!filtered && a.noneHint}</EmptyState>
      )}
      {items !== undefined && items.length > 0 && <AuditTable entries={items} />}
      <ShowMore list={list} />
    </Page>
  )
}

const given = (filters: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))

function toQuery({ from, to, ...filters }: Filters, zone: string): Record<string, string> {
  const midnight = (date: string) => formatInstant(instantAt(zone, date, '00:00'))
  return {
    ...given(filters),
    ...(from !== '' && { from: midnight(from) }),
    ...(to !== '' && { to: midnight(addDays(to, 1)) }),
  }
}

interface FilterProps {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

function FilterFields({ filters, onChange }: FilterProps) {
  const [typed, setTyped] = useTyped(filters.actor)
  const settled = useSettled(typed.trim())
  const search = useEffectEvent(() => {
    if (settled === typed.trim() && settled !== filters.actor) onChange({ ...filters, actor: settled })
  })
  useEffect(() => {
    if (settled !== undefined) search()
  }, [settled])
  const a = words.audit
  const choices = (names: Readonly<Record<string, string>>, any: string) => [
    { id: '', label: any },
    ...Object.entries(names)
      .map(([id, label]) => ({ id, label }))
      .sort((one, other) => one.label.localeCompare(other.label)),
  ]
  return (
    <div className="filters">
      <TextInput
        label={a.person}
        type="search"
        placeholder={a.personHint}
        maxLength={254}
        value={typed}
        onChange={setTyped}
      />
      <Select
        label={a.object}
        value={filters.objectType}
        options={choices(a.objects, a.anyObject)}
        onChange={(objectType) => onChange({ ...filters, objectType })}
      />
      <Select
        label={a.what}
        value={filters.action}
        options={choices(a.actions, a.anyAction)}
        onChange={(action) => onChange({ ...filters, action })}
      />
      <TextInput
        label={words.bookings.from}
        type="date"
        value={filters.from}
        onChange={(from) => onChange({ ...filters, from })}
      />
      <TextInput
        label={words.bookings.to}
        type="date"
        value={filters.to}
        onChange={(to) => onChange({ ...filters, to })}
      />
    </div>
  )
}

/** Entries that are older than this page may have names it does not know. */
const known = (names: Readonly<Record<string, string>>, name: string) => names[name] ?? name

/** What happened to what. */
function changeOf({ objectType, action }: AuditView): string {
  const { objects, actions, change } = words.audit
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
                {known(a.actors, entry.actor)}
                {entry.token !== '' && <p className="muted small">{tell(a.token, { name: entry.token })}</p>}
              </td>
              <td data-label={a.what}>
                {changeOf(entry)}
                {entry.object && (
                  <p>
                    <Link to={entry.object.url}>{entry.object.name}</Link>
                  </p>
                )}
                <p className="muted small">{teams.find(({ id }) => id === entry.ownerId)?.name}</p>
              </td>
              <td className="muted small" data-label={a.fields}>
                {inOrder(entry.fields)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
