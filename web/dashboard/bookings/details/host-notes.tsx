import { useMemo, useState } from 'react'
import { Button } from '../../core/buttons.tsx'
import { call, type Versioned } from '../../core/data/api.ts'
import { useChange } from '../../core/data/data.ts'
import type { BookingView } from '../../core/data/views.ts'
import { useKeptChanges } from '../../core/fields/draft.tsx'
import { TextArea } from '../../core/fields/fields.tsx'
import { FormError, FormErrors } from '../../core/fields/form-errors.tsx'
import { readDraft } from '../../core/fields/kept-drafts.ts'
import { Section } from '../../core/page.tsx'
import { words } from '../../words.ts'
import { useMayChange } from '../may-change.ts'

/** What hosts write about a booking, for themselves. */
export function HostNotes({ booking: { body } }: { readonly booking: Versioned<BookingView> }) {
  const path = `/bookings/${body.id}`
  const [notes, setNotes] = useState(
    () => readDraft(path, { hostNotes: body.hostNotes }).hostNotes ?? body.hostNotes,
  )
  const mayChange = useMayChange(body)
  const dirty = notes.trim() !== body.hostNotes
  const changes = useMemo(() => ({ hostNotes: notes }), [notes])
  useKeptChanges(path, changes, dirty)
  const save = useChange(() => call<BookingView>(path, { method: 'PATCH', body: changes }), ['/bookings'])
  const b = words.bookings
  if (!mayChange && body.hostNotes === '') return null
  return (
    <Section title={b.hostNotes} hint={b.hostNotesHint}>
      {mayChange ? (
        <FormErrors error={save.error}>
          <TextArea
            label={b.hostNotes}
            hideLabel
            field="hostNotes"
            maxLength={5000}
            value={notes}
            onChange={setNotes}
          />
          <FormError />
          {dirty && (
            <div className="actions">
              <Button kind="primary" busy={save.isPending} onPress={() => save.mutate(undefined)}>
                {words.save}
              </Button>
              <Button onPress={() => setNotes(body.hostNotes)}>{words.discard}</Button>
            </div>
          )}
        </FormErrors>
      ) : (
        <p className="prose">{body.hostNotes}</p>
      )}
    </Section>
  )
}
