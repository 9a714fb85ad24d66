import { useMemo, useState } from 'react'
import { ATTRIBUTE_TYPES } from '../../../../src/domain/people/attributes.ts'
import { AddItem, Button } from '../../core/buttons.tsx'
import { call, type Versioned } from '../../core/data/api.ts'
import { useChange, useOne } from '../../core/data/data.ts'
import type { AttributeView, TeamView } from '../../core/data/views.ts'
import { useKeptChanges } from '../../core/fields/draft.tsx'
import { ListArea, Select, TextInput } from '../../core/fields/fields.tsx'
import { FormError, FormErrors } from '../../core/fields/form-errors.tsx'
import { readDraft } from '../../core/fields/kept-drafts.ts'
import { OrderButtons } from '../../core/fields/ordered.tsx'
import { Loaded, Section } from '../../core/page.tsx'
import { tell, words } from '../../words.ts'
import { AttributeImport } from './attribute-import.tsx'

/** What a team records about its members: for its admins. */
export function Attributes({ team }: { readonly team: TeamView }) {
  const loaded = useOne<readonly AttributeView[]>(`/teams/${team.id}/attributes`)
  const t = words.attributes
  return (
    <Section title={t.title} hint={t.hint}>
      <Loaded query={loaded} skeleton={<span className="bar bar-wide" />}>
        {(found) => <Editor key={found.version} team={team} loaded={found} />}
      </Loaded>
    </Section>
  )
}

interface EditorProps {
  readonly team: TeamView
  readonly loaded: Versioned<readonly AttributeView[]>
}

function Editor({ team, loaded }: EditorProps) {
  const path = `/teams/${team.id}/attributes`
  const [draft, setDraft] = useState(
    () => readDraft(path, { attributes: loaded.body }).attributes ?? loaded.body,
  )
  const [importing, setImporting] = useState(false)
  const dirty = JSON.stringify(draft) !== JSON.stringify(loaded.body)
  const restored = useKeptChanges(
    path,
    useMemo(() => ({ attributes: draft }), [draft]),
    dirty,
  )
  const save = useChange(
    () => call(path, { method: 'PUT', body: draft, version: loaded.version }),
    [path, `/teams/${team.id}/members`],
  )
  const edit = (next: readonly AttributeView[]) => {
    save.reset()
    setDraft(next)
  }
  const t = words.attributes
  return (
    <FormErrors error={save.error}>
      {draft.length === 0 && <p className="muted">{t.none}</p>}
      {draft.map((attribute, index) => {
        const name = attribute.label || tell(t.numbered, { number: index + 1 })
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the host types the keys, so they can't keep the focus
          <fieldset key={index} className="nested" aria-label={name}>
            <OrderButtons items={draft} index={index} name={name} onChange={edit} />
            <AttributeFields
              attribute={attribute}
              path={String(index)}
              isNew={!loaded.body.some(({ key }) => key === attribute.key)}
              onChange={(next) => edit(draft.with(index, next))}
            />
          </fieldset>
        )
      })}
      <AddItem onPress={() => edit([...draft, { key: '', label: '', type: 'one', options: [] }])}>
        {t.add}
      </AddItem>
      <FormError />
      <div className="actions">
        {dirty ? (
          <>
            {restored && <span className="muted">{words.restored}</span>}
            <Button small kind="primary" busy={save.isPending} onPress={() => save.mutate(undefined)}>
              {words.save}
            </Button>
            <Button small onPress={() => edit(loaded.body)}>
              {words.discard}
            </Button>
          </>
        ) : (
          draft.length > 0 && (
            <Button small onPress={() => setImporting(true)}>
              {t.import}
            </Button>
          )
        )}
      </div>
      {importing && (
        <AttributeImport team={team} attributes={loaded.body} onClose={() => setImporting(false)} />
      )}
    </FormErrors>
  )
}

/** A key that says what the label says, such as `spoken-languages`. */
const keyFor = (label: string) =>
  label
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64)

interface FieldsProps {
  readonly attribute: AttributeView
  readonly path: string
  /** Until it is saved, its key follows its label. */
  readonly isNew: boolean
  readonly onChange: (attribute: AttributeView) => void
}

function AttributeFields({ attribute, path, isNew, onChange }: FieldsProps) {
  const t = words.attributes
  const change = (part: Partial<AttributeView>) => onChange({ ...attribute, ...part })
  const { key, label, type, options } = attribute
  const follows = isNew && key === keyFor(label)
  return (
    <>
      <TextInput
        label={t.label}
        field={`${path}.label`}
        maxLength={200}
        value={label}
        onChange={(next) => change({ label: next, key: follows ? keyFor(next) : key })}
      />
      <div className="columns">
        <Select
          label={t.type}
          field={`${path}.type`}
          value={type}
          options={ATTRIBUTE_TYPES.map((id) => ({ id, label: t.types[id] }))}
          onChange={(chosen) => {
            const next = ATTRIBUTE_TYPES.find((one) => one === chosen) ?? 'text'
            change({ type: next, options: next === 'text' ? [] : options })
          }}
        />
        <TextInput
          label={t.key}
          hint={t.keyHint}
          field={`${path}.key`}
          maxLength={64}
          value={key}
          onChange={(next) => change({ key: next })}
        />
      </div>
      {type !== 'text' && (
        <ListArea
          label={t.options}
          hint={t.optionsHint}
          field={`${path}.options`}
          values={options}
          onChange={(next) => change({ options: next })}
        />
      )}
    </>
  )
}
