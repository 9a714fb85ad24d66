import { useState } from 'react'
import { Button } from '../../core/buttons.tsx'
import { call } from '../../core/data/api.ts'
import { useChange, useOne } from '../../core/data/data.ts'
import type { SavedFiltersView } from '../../core/data/views.ts'
import { CreateSheet } from '../../core/dialogs.tsx'
import { TextInput } from '../../core/fields/fields.tsx'
import { ErrorAlert } from '../../core/fields/form-errors.tsx'
import { CrossIcon } from '../../core/icons.tsx'
import { Link } from '../../core/router.tsx'
import { tell, words } from '../../words.ts'

/** The filters that the user keeps, and the present one if there is anything to keep. */
export function SavedFilters({
  query,
  worthSaving,
}: {
  readonly query: string
  readonly worthSaving: boolean
}) {
  const saved = useOne<SavedFiltersView>('/me/saved-filters').data?.body ?? []
  const [naming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const save = useChange(
    (body: SavedFiltersView) => call<SavedFiltersView>('/me/saved-filters', { method: 'PUT', body }),
    ['/me/saved-filters'],
  )
  const b = words.bookings
  const isKept = saved.some((filter) => filter.query === query)
  if (saved.length === 0 && !worthSaving) return null
  return (
    <div className="saved">
      {saved.length > 0 && (
        <ul className="chips" aria-label={b.savedFilters}>
          {saved.map((filter) => (
            <li key={filter.name} className="chip" data-chosen={filter.query === query || undefined}>
              <Link
                to={`/app/bookings?${filter.query}`}
                aria-current={filter.query === query ? 'true' : undefined}
              >
                {filter.name}
              </Link>
              <button
                type="button"
                aria-label={tell(words.removeOf, { name: filter.name })}
                onClick={() => save.mutate(saved.filter((other) => other !== filter))}
              >
                <CrossIcon size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {worthSaving && !isKept && (
        <Button small onPress={() => setNaming(true)}>
          {b.keepView}
        </Button>
      )}
      {!naming && <ErrorAlert error={save.error} />}
      {naming && (
        <CreateSheet
          title={b.keepViewTitle}
          submit={b.keepView}
          busy={save.isPending}
          error={save.error}
          onClose={() => setNaming(false)}
          onSubmit={() =>
            save.mutate([...saved, { name, query }], {
              onSuccess: () => {
                setNaming(false)
                setName('')
              },
            })
          }
        >
          <TextInput
            label={words.name}
            field={`${saved.length}.name`}
            maxLength={100}
            value={name}
            onChange={setName}
          />
        </CreateSheet>
      )}
    </div>
  )
}
