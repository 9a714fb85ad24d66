import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call, type Versioned } from '../core/data/api.ts'
import { combine, useChange, useEventTypes, useOne, useOwners } from '../core/data/data.ts'
import type { EventTypeView, FormView } from '../core/data/views.ts'
import { Confirm } from '../core/dialogs.tsx'
import { SaveBar, useDraft } from '../core/fields/draft.tsx'
import { Switch, TextArea, TextInput } from '../core/fields/fields.tsx'
import { FormErrors } from '../core/fields/form-errors.tsx'
import { SlugInput } from '../core/fields/slug.tsx'
import { Loaded, Page, RowsSkeleton, Section } from '../core/page.tsx'
import { navigate, useRoute } from '../core/router.tsx'
import { usePublicUrl } from '../core/share/public-url.ts'
import { ShareSection } from '../core/share/share-section.tsx'
import { FormMessages } from '../messages/lazy-messages.tsx'
import { tell, words } from '../words.ts'
import { FieldsEditor } from './fields-editor.tsx'
import { FormViews } from './form-views.tsx'
import { LookupSecret } from './lookup-secret.tsx'
import { ProtectionSection } from './protection-section.tsx'
import { Responses } from './responses.tsx'
import { HostChoice } from './rules/host-choice.tsx'
import { RulesEditor } from './rules/rules-editor.tsx'
import { TargetEditor } from './rules/target-editor.tsx'
import { TestsSection } from './tests-section.tsx'
import { TryOut } from './try-out.tsx'

export default function FormPage({ id }: { readonly id: string }) {
  const form = useOne<FormView>(`/routing-forms/${id}`)
  const loaded = combine(form, useEventTypes())
  const view = useRoute().query.get('view') === 'responses' ? 'responses' : 'build'
  const f = words.forms
  return (
    <Page
      wide
      title={form.data?.body.name ?? f.title}
      back={{ to: '/app/forms', label: f.title }}
      actions={<FormViews formId={id} shown={view} />}
    >
      <Loaded query={loaded} skeleton={<RowsSkeleton rows={5} />}>
        {([found, eventTypes]) =>
          view === 'responses' ? (
            <Responses form={found.body} eventTypes={eventTypes} />
          ) : (
            <Builder
              loaded={found}
              // A form routes to event types of its own owner.
              eventTypes={eventTypes.filter(({ ownerId }) => ownerId === found.body.ownerId)}
            />
          )
        }
      </Loaded>
    </Page>
  )
}

interface BuilderProps {
  readonly loaded: Versioned<FormView>
  readonly eventTypes: readonly EventTypeView[]
}

function Builder({ loaded, eventTypes }: BuilderProps) {
  const saved = loaded.body
  const edited = useDraft(`/routing-forms/${saved.id}`, loaded, ['/routing-forms'])
  const { draft, set } = edited
  const publicUrl = usePublicUrl()
  const owner = useOwners().find(({ id }) => id === draft.ownerId)
  const [removing, setRemoving] = useState(false)
  const path = `${owner?.slug ?? ''}/forms/${saved.slug}`
  const f = words.forms
  return (
    <div className="editor">
      <div className="editor-main">
        <FormErrors error={edited.save.error}>
          <Basics draft={draft} set={set} ownerSlug={owner?.slug ?? ''} />
          <FieldsEditor fields={draft.fields} onChange={(fields) => set({ fields })} />
          <RulesEditor
            form={draft}
            eventTypes={eventTypes}
            error={edited.save.error}
            onChange={(rules) => set({ rules })}
          />
          <Section title={f.fallback} hint={f.fallbackHint}>
            <TargetEditor
              path="fallback"
              target={draft.fallback}
              eventTypes={eventTypes}
              fields={draft.fields}
              onChange={(fallback) => set({ fallback })}
            />
            <HostChoice
              path="fallback"
              target={draft.fallback}
              eventTypes={eventTypes}
              onChange={(fallback) => set({ fallback })}
            />
          </Section>
          <TestsSection form={draft} eventTypes={eventTypes} onChange={(tests) => set({ tests })} />
          <ProtectionSection
            abuse={draft.abuse}
            onChange={(abuse) => set({ abuse })}
            keepDays={draft.keepPersonalDataDays}
            onKeepDays={(keepPersonalDataDays) => set({ keepPersonalDataDays })}
          />
          <LookupSecret form={saved} />
          {owner && <FormMessages form={saved} owner={owner} />}
          <Section title={f.remove}>
            <div>
              <Button onPress={() => setRemoving(true)}>{f.remove}</Button>
            </div>
          </Section>
          <SaveBar draft={edited} />
        </FormErrors>
      </div>
      <aside className="editor-side">
        <ShareSection name={saved.name} path={path} link={`${publicUrl}/${path}`} open={f.open} />
        <TryOut
          form={draft}
          eventTypes={eventTypes}
          onAddTest={(test) => set({ tests: [...draft.tests, test] })}
        />
      </aside>
      {removing && <DeleteForm form={saved} onClose={() => setRemoving(false)} />}
    </div>
  )
}

interface BasicsProps {
  readonly draft: FormView
  readonly set: (part: Partial<FormView>) => void
  readonly ownerSlug: string
}

function Basics({ draft, set, ownerSlug }: BasicsProps) {
  const f = words.forms
  return (
    <Section title={f.basics}>
      <TextInput
        label={words.name}
        hint={f.nameHint}
        field="name"
        maxLength={200}
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      <SlugInput
        label={f.link}
        within={`${ownerSlug}/forms/`}
        value={draft.slug}
        onChange={(slug) => set({ slug })}
      />
      <TextArea
        label={f.description}
        field="description"
        maxLength={5000}
        rows={2}
        value={draft.description ?? ''}
        onChange={(text) => set({ description: text === '' ? null : text })}
      />
    </Section>
  )
}

function DeleteForm({ form, onClose }: { readonly form: FormView; readonly onClose: () => void }) {
  const [force, setForce] = useState(false)
  const f = words.forms
  const remove = useChange(
    () => call(`/routing-forms/${form.id}${force ? '?force=true' : ''}`, { method: 'DELETE' }),
    ['/routing-forms'],
  )
  return (
    <Confirm
      title={tell(f.removeTitle, { name: form.name })}
      confirm={words.delete}
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => navigate('/app/forms', { force: true }) })}
    >
      <p>{f.removeHint}</p>
      <Switch label={f.removeForce} on={force} onChange={setForce} />
    </Confirm>
  )
}
