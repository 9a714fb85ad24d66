import { useState } from 'react'
import { call, type Versioned } from '../core/api.ts'
import { Action, CopyButton, Segments, Switch, TextArea, TextInput, Trouble } from '../core/controls.tsx'
import { together, useChange, useEventTypes, useOne, useOwners } from '../core/data.ts'
import { Confirm } from '../core/dialogs.tsx'
import { SaveBar, useDraft } from '../core/draft.tsx'
import { PlusIcon } from '../core/icons.tsx'
import { Loaded, Page, RowsSkeleton, Section } from '../core/page.tsx'
import { usePublicUrl } from '../core/public-url.ts'
import { navigate, usePlace } from '../core/router.tsx'
import type { EventTypeView, FormView, RuleView } from '../core/views.ts'
import { words } from '../words.ts'
import { FieldsEditor } from './fields-editor.tsx'
import { Responses } from './responses.tsx'
import { RuleEditor } from './rule-editor.tsx'
import { TargetEditor } from './target-editor.tsx'
import { TryOut } from './try-out.tsx'

export default function FormPage({ id }: { readonly id: string }) {
  const form = useOne<FormView>(`/routing-forms/${id}`)
  const known = together(form, useEventTypes())
  const { query } = usePlace()
  const view = query.get('view') === 'responses' ? 'responses' : 'build'
  const f = words.forms
  return (
    <Page
      wide
      title={form.data?.body.name ?? f.title}
      back={{ to: '/app/forms', label: f.title }}
      actions={
        <Segments
          label={f.views}
          value={view}
          options={[
            { id: 'build', label: f.build },
            { id: 'responses', label: f.responses },
          ]}
          onChange={(next) => navigate(`/app/forms/${id}${next === 'responses' ? '?view=responses' : ''}`)}
        />
      }
    >
      <Loaded query={known} skeleton={<RowsSkeleton rows={5} />}>
        {([found, all]) =>
          view === 'responses' ? (
            <Responses form={found.body} eventTypes={all} />
          ) : (
            <Builder loaded={found} all={all} />
          )
        }
      </Loaded>
    </Page>
  )
}

interface BuilderProps {
  readonly loaded: Versioned<FormView>
  /** Of every owner; a form leads to those of its own. */
  readonly all: readonly EventTypeView[]
}

function Builder({ loaded, all }: BuilderProps) {
  const path = `/routing-forms/${loaded.body.id}`
  const edited = useDraft(path, loaded, ['/routing-forms'])
  const { draft, set, errorAbout } = edited
  const publicUrl = usePublicUrl()
  const owner = useOwners().find(({ id }) => id === draft.ownerId)
  const eventTypes = all.filter(({ ownerId }) => ownerId === draft.ownerId)
  const [removing, setRemoving] = useState(false)
  const f = words.forms
  const link = `${publicUrl}/${owner?.slug ?? ''}/forms/${loaded.body.slug}`
  return (
    <div className="editor">
      <div className="editor-main">
        <Section title={f.basics}>
          <TextInput
            label={words.name}
            hint={f.nameHint}
            maxLength={200}
            value={draft.name}
            error={errorAbout('a name')}
            onChange={(name) => set({ name })}
          />
          <TextInput
            label={words.eventTypes.address}
            prefix={`${publicUrl.replace(/^https?:\/\//, '')}/${owner?.slug ?? ''}/forms/`}
            maxLength={64}
            value={draft.slug}
            error={errorAbout('slug', 'taken')}
            onChange={(slug) => set({ slug })}
          />
          <TextArea
            label={f.description}
            maxLength={5000}
            rows={2}
            value={draft.description ?? ''}
            onChange={(text) => set({ description: text === '' ? null : text })}
          />
        </Section>
        <FieldsEditor
          fields={draft.fields}
          error={errorAbout('fields?', 'label', 'options?', 'select')}
          onChange={(fields) => set({ fields })}
        />
        <Section title={f.rules} hint={f.rulesHint}>
          {draft.rules.length === 0 && <p className="m-0 text-muted">{f.noRules}</p>}
          {draft.rules.map((_, index) => (
            <RuleEditor
              // biome-ignore lint/suspicious/noArrayIndexKey: rules are known by their order alone
              key={index}
              rules={draft.rules}
              index={index}
              fields={draft.fields}
              eventTypes={eventTypes}
              onChange={(rules) => set({ rules })}
            />
          ))}
          {errorAbout('rule', 'any', 'isAnyOf', 'condition') && (
            <p className="error">{errorAbout('rule', 'any', 'isAnyOf', 'condition')}</p>
          )}
          <div>
            <button
              type="button"
              className="text-button"
              onClick={() => set({ rules: [...draft.rules, emptyRule(draft, eventTypes)] })}
            >
              <PlusIcon size={16} />
              {f.addRule}
            </button>
          </div>
        </Section>
        <Section title={f.fallback} hint={f.fallbackHint}>
          <TargetEditor
            name={f.fallback}
            target={draft.fallback}
            eventTypes={eventTypes}
            error={errorAbout('message', 'redirected', 'target', 'address')}
            onChange={(fallback) => set({ fallback })}
          />
        </Section>
        <Section title={f.remove}>
          <div>
            <Action onPress={() => setRemoving(true)}>{f.remove}</Action>
          </div>
        </Section>
        <SaveBar draft={edited} />
      </div>
      <aside className="editor-side">
        <Section title={words.eventTypes.share}>
          <p className="link-box">
            <code>{link}</code>
          </p>
          <div className="flex flex-wrap gap-2">
            <CopyButton text={link}>{words.copyLink}</CopyButton>
            <a className="button button-quiet button-small" href={link} target="_blank" rel="noreferrer">
              {words.eventTypes.open}
            </a>
          </div>
        </Section>
        <TryOut form={draft} eventTypes={eventTypes} />
      </aside>
      {removing && <RemoveForm form={loaded.body} onClose={() => setRemoving(false)} />}
    </div>
  )
}

function emptyRule({ fields }: FormView, eventTypes: readonly EventTypeView[]): RuleView {
  const [field] = fields
  const [option] = field?.options ?? []
  return {
    when: { all: [{ field: field?.id ?? '', operator: 'equals', value: option?.id ?? '' }] },
    target: {
      action: eventTypes.length > 0 ? 'routeToEvent' : 'message',
      eventTypeId: eventTypes[0]?.id ?? null,
      redirectUrl: null,
      message: null,
    },
  }
}

function RemoveForm({ form, onClose }: { readonly form: FormView; readonly onClose: () => void }) {
  const [force, setForce] = useState(false)
  const f = words.forms
  const remove = useChange(
    () => call(`/routing-forms/${form.id}${force ? '?force=true' : ''}`, { method: 'DELETE' }),
    ['/routing-forms'],
  )
  return (
    <Confirm
      title={f.removeTitle(form.name)}
      confirm={words.delete}
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => navigate('/app/forms', { force: true }) })}
    >
      <p className="m-0 mb-4">{f.removeHint}</p>
      <Switch label={f.removeForce} on={force} onChange={setForce} />
      <Trouble error={remove.error} />
    </Confirm>
  )
}
