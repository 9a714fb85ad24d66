import { type FormEvent, useState } from 'react'
import { call } from '../core/api.ts'
import { Select, TextInput, Trouble } from '../core/controls.tsx'
import { useAll, useChange, useOwners } from '../core/data.ts'
import { TrashIcon } from '../core/icons.tsx'
import { Empty, Loaded, Page, Section } from '../core/page.tsx'
import type { BlockedView } from '../core/views.ts'
import { words } from '../words.ts'

export default function BlocklistPage() {
  const list = useAll<BlockedView>('/blocklist')
  const owners = useOwners()
  const managed = owners.filter(({ manages }) => manages)
  const [entry, setEntry] = useState('')
  const [ownerId, setOwnerId] = useState('')
  const owner = managed.find(({ id }) => id === ownerId) ?? managed[0]
  const b = words.blocklist
  const add = useChange(
    () =>
      call('/blocklist', {
        method: 'POST',
        body: { entry: entry.trim(), ...(owner?.team && { teamId: owner.id }) },
      }),
    ['/blocklist'],
  )
  const remove = useChange((id: string) => call(`/blocklist/${id}`, { method: 'DELETE' }), ['/blocklist'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!add.isPending) add.mutate(undefined, { onSuccess: () => setEntry('') })
  }
  return (
    <Page title={b.title} lead={b.lead}>
      <Section title={b.add}>
        <form className="grid gap-4" onSubmit={submit} noValidate>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextInput
              label={b.entry}
              hint={b.entryHint}
              maxLength={254}
              value={entry}
              error={add.error?.message || undefined}
              onChange={setEntry}
            />
            {managed.length > 1 && (
              <Select
                label={words.owner}
                value={owner?.id ?? ''}
                options={managed.map(({ id, name }) => ({ id, label: name }))}
                onChange={setOwnerId}
              />
            )}
          </div>
          <div>
            <button type="submit" className="button" aria-disabled={add.isPending}>
              {b.block}
            </button>
          </div>
        </form>
      </Section>
      <Section title={b.blocked}>
        <Trouble error={remove.error} />
        <Loaded query={list} skeleton={<span className="bar bar-wide" />}>
          {(all) =>
            all.length === 0 ? (
              <Empty title={b.none}>{b.noneHint}</Empty>
            ) : (
              <ul className="rows rows-inner">
                {all.map((blocked) => {
                  const theirs = owners.find(({ id }) => id === blocked.ownerId)
                  return (
                    <li key={blocked.id} className="row">
                      <div className="min-w-0 flex-1">
                        <p className="m-0 font-semibold wrap-anywhere">{blocked.entry}</p>
                        {theirs?.team && <p className="row-sub">{theirs.name}</p>}
                      </div>
                      {theirs?.manages && (
                        <button
                          type="button"
                          className="round"
                          aria-label={words.removeOf(blocked.entry)}
                          onClick={() => remove.mutate(blocked.id)}
                        >
                          <TrashIcon />
                        </button>
                      )}
                    </li>
                  )
                })}
              </ul>
            )
          }
        </Loaded>
      </Section>
    </Page>
  )
}
