import { useDeferredValue, useState } from 'react'
import { foldQuery, rankOf } from '../../../src/domain/search-rank.ts'
import { words } from '../words.ts'
import { Select, TextInput } from './fields/fields.tsx'

type Sort = keyof typeof words.lists.sorts

interface Toolbar<Id extends Sort> {
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly placeholder?: string
  readonly sort: Id
  readonly sorts: readonly Id[]
  readonly onSort: (sort: Id) => void
}

/** A search field and a choice of orders, above a list. */
export function ListToolbar<Id extends Sort>(props: Toolbar<Id>) {
  const { typed, onType, placeholder = words.lists.search, sort, sorts, onSort } = props
  return (
    <div className="toolbar list-toolbar">
      <div className="toolbar-search">
        <TextInput
          label={placeholder}
          hideLabel
          type="search"
          placeholder={placeholder}
          maxLength={100}
          value={typed}
          onChange={onType}
        />
      </div>
      <div className="toolbar-sort">
        <Select
          label={words.lists.sort}
          hideLabel
          value={sort}
          options={sorts.map((id) => ({ id, label: `${words.lists.sort}: ${words.lists.sorts[id]}` }))}
          onChange={(chosen) => onSort(sorts.find((id) => id === chosen) ?? sort)}
        />
      </div>
    </div>
  )
}

/** What is typed into a search, and whether texts contain it, whatever their case and accents. */
export function useTyped(initial = '') {
  const [typed, setTyped] = useState(initial)
  // A long list may be drawn a moment later than the letter that was typed.
  const wanted = foldQuery(useDeferredValue(typed))
  const fits = (title: string, others: readonly string[] = []) =>
    wanted === '' || rankOf(wanted, title, others) !== undefined
  return { typed, setTyped, isSearching: wanted !== '', fits }
}

/** Compares names as people sort them. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name.localeCompare(b.name)
