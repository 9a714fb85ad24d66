import { type FormEvent, useState } from 'react'
import { call } from '../core/api.ts'
import { IconButton, SubmitButton } from '../core/buttons.tsx'
import { useAll, useChange, useOwners } from '../core/data.ts'
import { TextInput } from '../core/fields.tsx'
import { ErrorAlert, FormError, FormErrors } from '../core/form-errors.tsx'
import { TrashIcon } from '../core/icons.tsx'
import { OwnerSelect, teamOf, useOwnerChoice } from '../core/owner-select.tsx'
import { EmptyState, Loaded, Page, Section } from '../core/page.tsx'
import type { BlockedGuestView, BlockGuest } from '../core/views.ts'
import { words } from '../words.ts'

export default function BlocklistPage() {
  const blocked = useAll<BlockedGuestView>('/blocklist')
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
              <BlockedList blocked={all} />
            )
          }
        </Loaded>
      </Section>
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

function BlockedList({ blocked }: { readonly blocked: readonly BlockedGuestView[] }) {
  const owners = useOwners()
  const unblock = useChange((id: string) => call(`/blocklist/${id}`, { method: 'DELETE' }), ['/blocklist'])
  return (
    <>
      <ErrorAlert error={unblock.error} />
      <ul className="rows-inner">
        {blocked.map(({ id, entry, ownerId }) => {
          const owner = owners.find((one) => one.id === ownerId)
          return (
            <li key={id} className="row">
              <div className="row-main">
                <strong>{entry}</strong>
                {owner?.team && <p className="row-sub">{owner.name}</p>}
              </div>
              {owner?.manages && (
                <IconButton label={words.removeOf(entry)} onPress={() => unblock.mutate(id)}>
                  <TrashIcon />
                </IconButton>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
