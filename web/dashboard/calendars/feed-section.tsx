import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import type { FeedView } from '../core/data/views.ts'
import { Confirm, Sheet } from '../core/dialogs.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { Section } from '../core/page.tsx'
import { ShownOnce } from '../core/shown-once.tsx'
import { words } from '../words.ts'

/** The host's bookings, for a calendar app to subscribe to. */
export function FeedSection() {
  const [open, setOpen] = useState(false)
  const [asking, setAsking] = useState(false)
  const c = words.calendars
  const create = useMutation({
    mutationFn: () => call<FeedView>('/me/calendar-feed', { method: 'POST', body: {} }),
  })
  const revoke = useMutation({ mutationFn: () => call('/me/calendar-feed', { method: 'DELETE' }) })
  return (
    <Section title={c.feed} hint={c.feedHint}>
      <ErrorAlert error={create.error} />
      <div className="actions">
        <Button
          busy={create.isPending}
          onPress={() => create.mutate(undefined, { onSuccess: () => setOpen(true) })}
        >
          {c.feedNew}
        </Button>
        <Button onPress={() => setAsking(true)}>{c.feedRevoke}</Button>
        {revoke.isSuccess && (
          <p className="muted" role="status">
            {c.feedRevoked}
          </p>
        )}
      </div>
      {asking && (
        <Confirm
          title={c.feedRevokeTitle}
          confirm={c.feedRevoke}
          cancel={c.feedKeep}
          busy={revoke.isPending}
          error={revoke.error}
          onClose={() => setAsking(false)}
          onConfirm={() => revoke.mutate(undefined, { onSuccess: () => setAsking(false) })}
        >
          {c.feedRevokeHint}
        </Confirm>
      )}
      {open && create.data !== undefined && (
        <Sheet title={c.feedReady} onClose={() => setOpen(false)} alert>
          <ShownOnce secret={create.data.body.url} onDone={() => setOpen(false)} />
        </Sheet>
      )}
    </Section>
  )
}
