import type { ReactNode } from 'react'
import { usePages } from '../core/data/data.ts'
import type { ImportLineView, ImportView } from '../core/data/views.ts'
import { Select, TextInput } from '../core/fields/fields.tsx'
import { EmptyState, Loaded, Section, ShowMore } from '../core/page.tsx'
import { useSettled } from '../core/settled.ts'
import { type RowPlace, WindowedList } from '../core/windowed.tsx'
import { moveInWords } from '../words.ts'
import { type LineState, tableName } from './imports.ts'

/** What the list is narrowed to; empty: no limit. */
export interface LineFilter {
  readonly table: string
  /** `kept` are those that are here already and have a note: they were edited or deleted here. */
  readonly state: '' | 'noted' | 'kept' | LineState
  readonly search: string
}

/** Where links to the lines lead. */
export const LINES = 'lines'

export const NO_FILTER: LineFilter = { table: '', state: '', search: '' }

interface Props {
  readonly given: ImportView
  readonly filter: LineFilter
  readonly onFilter: (filter: LineFilter) => void
  /** Whether a line was left out by choice. */
  readonly isLeftOut?: (line: ImportLineView) => boolean
  /** What can be done with a line, at its end. */
  readonly action?: (line: ImportLineView) => ReactNode
}

const STATES = ['', 'noted', 'new', 'changed', 'left-out', 'same', 'kept'] as const

/** What becomes of each row of the source. */
export function PlanLines({ given: { id, plan }, filter, onFilter, isLeftOut, action }: Props) {
  const search = useSettled(filter.search.trim())
  const { state, table } = filter
  const lines = usePages<ImportLineView>(
    `/imports/${id}/lines`,
    {
      limit: '100',
      table: table || undefined,
      search: search || undefined,
      noted: state === 'noted' || state === 'kept' ? 'true' : undefined,
      state: state === 'kept' ? 'same' : state === 'noted' ? undefined : state || undefined,
    },
    () => true,
  )
  const { lines: l, plan: p } = moveInWords
  const labels: Readonly<Record<(typeof STATES)[number], string>> = {
    '': l.anyState,
    noted: l.noted,
    kept: l.kept,
    ...p.states,
  }
  return (
    <Section title={l.title} id={LINES}>
      <div className="filters">
        <TextInput
          label={l.search}
          type="search"
          maxLength={200}
          value={filter.search}
          onChange={(typed) => onFilter({ ...filter, search: typed })}
        />
        <Select
          label={l.kind}
          value={table}
          options={[
            { id: '', label: l.anyKind },
            ...Object.keys(plan?.counts ?? {})
              .map((name) => ({ id: name, label: tableName(name) }))
              .sort((one, other) => one.label.localeCompare(other.label)),
          ]}
          onChange={(chosen) => onFilter({ ...filter, table: chosen })}
        />
        <Select
          label={l.state}
          value={state}
          options={STATES.map((one) => ({ id: one, label: labels[one] }))}
          onChange={(chosen) => onFilter({ ...filter, state: STATES.find((one) => one === chosen) ?? '' })}
        />
      </div>
      <Loaded query={{ ...lines, data: lines.items }}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={l.none} />
          ) : (
            <WindowedList
              className="rows-inner"
              label={l.title}
              items={all}
              onEnd={lines.hasNextPage ? () => void lines.fetchNextPage() : undefined}
            >
              {(line, at) => (
                <LineRow
                  key={at.index}
                  line={isLeftOut?.(line) ? { ...line, state: 'left-out' } : line}
                  place={at}
                >
                  {action?.(line)}
                </LineRow>
              )}
            </WindowedList>
          )
        }
      </Loaded>
      <ShowMore list={lines} />
    </Section>
  )
}

/** The colours of a booking's status mean the same here. */
const COLOURS: Readonly<Partial<Record<LineState, string>>> = {
  new: 'Confirmed',
  changed: 'Warning',
}

interface RowProps {
  readonly line: ImportLineView
  readonly place: RowPlace
  readonly children: ReactNode
}

function LineRow({ line: { state, table, name, sentence }, place, children }: RowProps) {
  return (
    <li className="row" {...place.props}>
      <div className="row-main">
        <p className="row-title">{name}</p>
        <p className="row-sub">{tableName(table)}</p>
        {sentence !== '' && <p className="failure">{sentence}</p>}
      </div>
      <span className="status" data-status={COLOURS[state] ?? ''}>
        {moveInWords.plan.states[state]}
      </span>
      {children}
    </li>
  )
}
