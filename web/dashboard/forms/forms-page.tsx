import { useState } from 'react'
import { call } from '../core/api.ts'
import { Action, CopyButton, Select, TextInput, Trouble } from '../core/controls.tsx'
import { type Owner, useAll, useChange, useOwners } from '../core/data.ts'
import { Sheet } from '../core/dialogs.tsx'
import { PlusIcon } from '../core/icons.tsx'
import { Empty, Loaded, Page } from '../core/page.tsx'
import { usePublicUrl } from '../core/public-url.ts'
import { Link, navigate } from '../core/router.tsx'
import { slugOf } from '../core/slug-of.ts'
import type { FormView } from '../core/views.ts'
import { words } from '../words.ts'

export default function FormsPage() {
  const forms = useAll<FormView>('/routing-forms')
  const owners = useOwners()
  const publicUrl = usePublicUrl()
  const [adding, setAdding] = useState(false)
  const f = words.forms
  const add = (
    <Action kind="main" onPress={() => setAdding(true)}>
      <PlusIcon size={16} />
      {f.add}
    </Action>
  )
  return (
    <Page title={f.title} lead={f.lead} actions={add}>
      <Loaded query={forms}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={f.none}>{f.noneHint}</Empty>
          ) : (
            <ul className="panel rows">
              {all.map((form) => {
                const owner = owners.find(({ id }) => id === form.ownerId)
                const link = `${publicUrl}/${owner?.slug ?? ''}/forms/${form.slug}`
                return (
                  <li key={form.id} className="row">
                    <div className="min-w-0 flex-1 basis-48">
                      <Link className="row-title" to={`/app/forms/${form.id}`}>
                        {form.name}
                      </Link>
                      <p className="row-sub">
                        {f.counts(form.fields.length, form.rules.length)}
                        {owner?.team && ` · ${owner.name}`}
                      </p>
                    </div>
                    <CopyButton text={link}>{words.copyLink}</CopyButton>
                  </li>
                )
              })}
            </ul>
          )
        }
      </Loaded>
      {adding && <AddForm owners={owners} onClose={() => setAdding(false)} />}
    </Page>
  )
}

function AddForm({ owners, onClose }: { readonly owners: readonly Owner[]; readonly onClose: () => void }) {
  const managed = owners.filter(({ manages }) => manages)
  const [ownerId, setOwnerId] = useState(managed[0]?.id ?? '')
  const [name, setName] = useState('')
  const owner = managed.find(({ id }) => id === ownerId)
  const f = words.forms
  const add = useChange(
    () =>
      call<FormView>('/routing-forms', {
        method: 'POST',
        body: {
          name,
          slug: slugOf(name),
          fields: [{ id: 'topic', label: f.firstField, type: 'text', required: true, options: [] }],
          fallback: { action: 'message', message: f.firstMessage },
          ...(owner?.team && { teamId: owner.id }),
        },
      }),
    ['/routing-forms'],
  )
  return (
    <Sheet title={f.add} onClose={onClose}>
      {managed.length > 1 && (
        <Select
          label={words.owner}
          value={ownerId}
          options={managed.map(({ id, name: label }) => ({ id, label }))}
          onChange={setOwnerId}
        />
      )}
      <TextInput label={words.name} hint={f.nameHint} maxLength={200} value={name} onChange={setName} />
      <Trouble error={add.error} />
      <div className="flex flex-wrap justify-end gap-3">
        <Action onPress={onClose}>{words.cancel}</Action>
        <Action
          kind="main"
          busy={add.isPending}
          onPress={() =>
            add.mutate(undefined, { onSuccess: ({ body }) => navigate(`/app/forms/${body.id}`) })
          }
        >
          {words.eventTypes.create}
        </Action>
      </div>
    </Sheet>
  )
}
