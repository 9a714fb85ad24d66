import { type FormEvent, useState } from 'react'
import { IconButton, SubmitButton } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useAll, useChange, useOwners } from '../core/data/data.ts'
import type { BlockedGuestView, BlockGuest } from '../core/data/views.ts'
import { TextInput } from '../core/fields/fields.tsx'
import { ErrorAlert, FormError, FormErrors } from '../core/fields/form-errors.tsx'
import { OwnerSelect, teamOf, useOwnerChoice } from '../core/fields/owner-select.tsx'
import { TrashIcon } from '../core/icons.tsx'
import { EmptyState, Loaded, Page, Section } from '../core/page.tsx'
import { Link } from '../core/router.tsx'
import { TimedUndoToast } from '../core/undo-toast.tsx'
import { tell, words } from '../words.ts'

export default function BlocklistPage() {
  const blocked = useAll<BlockedGuestView>('/blocklist')
  const unblock = useChange(
    ({ id }: BlockedGuestView) => call(`/blocklist/${id}`, { method: 'DELETE' }),
    ['/blocklist'],
  )
  const unblocked = unblock.isSuccess ? unblock.variables : undefined
  const owners = useOwners()
  const undo = useChange(
    async ({ entry, ownerId }: BlockedGuestView) => {
      const body: BlockGuest = { entry, ...teamOf(owners.find(({ id }) => id === ownerId)) }
      const answer = await call('/blocklist', { method: 'POST', body })
      unblock.reset()
      return answer
    },
    ['/blocklist'],
  )
  const b = words.blocklist
  return (
    <Page title={b.title} lead={b.lead}>
      <Section title={b.add}>
        <BlockForm />
      </Section>
      <Section title={b.blocked}>
        <Loaded query={blocked} skeleton={<span className="bar bar-wide" />}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState title={b.none}>{b.noneHint}</EmptyState>
            ) : (
              <BlockedList blocked={all} onUnblock={unblock.mutate} />
            )
          }
        </Loaded>
        <ErrorAlert error={unblock.error ?? undo.error} />
      </Section>
      <p className="muted">
        <Link to="/app/privacy">{words.erasure.title}</Link>
      </p>
      {unblocked !== undefined && (
        <TimedUndoToast
          key={unblocked.id}
          text={tell(b.unblocked, { entry: unblocked.entry })}
          label={tell(words.bookings.undoOf, { name: unblocked.entry })}
          busy={undo.isPending}
          onUndo={() => undo.mutate(unblocked)}
          onEnd={unblock.reset}
        />
      )}
    </Page>
  )
}

function BlockForm() {
  const choice = useOwnerChoice()
  const [entry, setEntry] = useState('')
  const b = words.blocklist
  const block = useChange(() => {
    const body: BlockGuest = { entry: entry.trim(), ...teamOf(choice.owner) }
    return call('/blocklist', { method: 'POST', body })
  }, ['/blocklist'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!block.isPending) block.mutate(undefined, { onSuccess: () => setEntry('') })
  }
  return (
    <FormErrors error={block.error}>
      <form className="stack" onSubmit={submit} noValidate>
        <div className="columns">
          <TextInput
            label={b.entry}
            hint={b.entryHint}
            field="entry"
            maxLength={254}
            value={entry}
            onChange={setEntry}
          />
          <OwnerSelect choice={choice} />
        </div>
        <FormError />
        <div>
          <SubmitButton busy={block.isPending}>{b.block}</SubmitButton>
        </div>
      </form>
    </FormErrors>
  )
}

interface ListProps {
  readonly blocked: readonly BlockedGuestView[]
  readonly onUnblock: (guest: BlockedGuestView) => void
}

function BlockedList({ blocked, onUnblock }: ListProps) {
  const owners = useOwners()
  return (
    <ul className="rows-inner">
      {blocked.map((guest) => {
        const { id, entry, ownerId } = guest
        const owner = owners.find((one) => one.id === ownerId)
        return (
          <li key={id} className="row">
            <div className="row-main">
              <strong>{entry}</strong>
              {owner?.team && <p className="row-sub">{owner.name}</p>}
            </div>
            {owner?.manages && (
              <IconButton label={tell(words.removeOf, { name: entry })} onPress={() => onUnblock(guest)}>
                <TrashIcon />
              </IconButton>
            )}
          </li>
        )
      })}
    </ul>
  )
}
