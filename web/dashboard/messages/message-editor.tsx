import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../src/domain/languages.ts'
import { findErrors } from '../../../src/domain/messages/message.ts'
import { Button } from '../core/buttons.tsx'
import type { Versioned } from '../core/data/api.ts'
import { type Owner, useAll, useEventTypes } from '../core/data/data.ts'
import { isConflict } from '../core/data/errors.ts'
import type { FormView, MessageView, PageView } from '../core/data/views.ts'
import { useDraft } from '../core/fields/draft.tsx'
import { Checkboxes, Segments, Select } from '../core/fields/fields.tsx'
import { FormError, FormErrors } from '../core/fields/form-errors.tsx'
import { dropDraft } from '../core/fields/kept-drafts.ts'
import { Conflict } from '../core/page.tsx'
import { useSettled } from '../core/settled.ts'
import { messageWords, tell, words } from '../words.ts'
import { MailPreview } from './mail-preview.tsx'
import { MomentFields } from './moment-fields.tsx'
import type { Sample } from './samples.ts'
import { focusOn, TextFields } from './text-fields.tsx'
import { AFFECTED, createMessage, readSample } from './use-messages.ts'

export interface EditorProps {
  /** Saved here; a path that is no message's is a new one's. */
  readonly path: string
  readonly loaded: Versioned<MessageView>
  readonly owner: Owner
  /** The owner's language, and how they address guests. */
  readonly page: Pick<PageView, 'locale' | 'germanAddress'>
  /** The event type whose questions and bookings it is shown with. */
  readonly eventTypeId: string | undefined
  /** Whether the user has just opened it: the text takes the focus. */
  readonly opened: boolean
  /** Called with the id of what was saved; empty for a new message that was not. */
  readonly onClose: (id: string) => void
}

/** Changes a message, or writes a new one, with a preview. */
export function MessageEditor({ path, loaded, owner, page, eventTypeId, opened, onClose }: EditorProps) {
  const isNew = loaded.body.id === ''
  const edited = useDraft(path, loaded, AFFECTED, isNew ? (draft) => createMessage(draft, owner) : undefined)
  const { draft, set, save } = edited
  const [shown, setShown] = useState<Language>(page.locale)
  const settled = useSettled(draft)
  const questions = useEventTypes().data?.find(({ id }) => id === eventTypeId)?.questions ?? []
  const broken = brokenField(settled)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is opened
  useEffect(() => {
    if (opened) focusOn(`texts.${shown}.body`, 0, 0)
  }, [])
  const submit = () => {
    const field = brokenField(draft)
    if (field === undefined) return save.mutate(undefined, { onSuccess: ({ body }) => onClose(body.id) })
    // The fields of that language must be on the page.
    flushSync(() => setShown(field.language))
    focusOn(field.path, field.at)
  }
  return (
    <div className="nested" data-message-editor="">
      <FormErrors error={save.error}>
        <MomentFields draft={draft} set={set} />
        <Scope draft={draft} set={set} />
        <Languages draft={draft} set={set} shown={shown} onShow={setShown} page={page} />
        <TextFields
          key={shown}
          draft={draft}
          language={shown}
          questions={questions}
          onChange={(text) => set({ texts: { ...draft.texts, [shown]: text } })}
        />
        <MailPreview
          message={settled}
          owner={owner}
          language={shown}
          eventTypeId={eventTypeId}
          isBroken={broken !== undefined}
        />
        {isConflict(save.error) ? <Conflict onReload={() => void edited.reload()} /> : <FormError />}
        <div className="actions">
          <Button kind="primary" busy={save.isPending} onPress={submit}>
            {words.save}
          </Button>
          <Button
            onPress={() => {
              dropDraft(path)
              onClose(loaded.body.id)
            }}
          >
            {edited.dirty ? words.discard : words.cancel}
          </Button>
        </div>
      </FormErrors>
    </div>
  )
}

/** Where the first error in the texts is. */
function brokenField(message: MessageView) {
  for (const language of LANGUAGES) {
    for (const part of ['subject', 'body'] as const) {
      const [error] = findErrors(message, message.texts[language]?.[part] ?? '')
      if (error !== undefined) return { language, path: `texts.${language}.${part}`, at: error.at }
    }
  }
  return undefined
}

interface DraftProps {
  readonly draft: MessageView
  readonly set: (part: Partial<MessageView>) => void
}

/** Which event types or forms it belongs to. */
function Scope({ draft, set }: DraftProps) {
  const forForms = draft.on === 'unbooked'
  const eventTypes = useEventTypes().data ?? []
  const forms = useAll<FormView>('/routing-forms', forForms).data ?? []
  const m = messageWords
  const options = (forForms ? forms : eventTypes)
    .filter(({ ownerId }) => ownerId === draft.ownerId)
    .map(({ id, name }) => ({ id, label: name }))
  if (options.length < 2) return null
  return forForms ? (
    <Checkboxes
      label={m.forms}
      hint={m.formsHint}
      field="formIds"
      options={options}
      chosen={draft.formIds}
      onChange={(formIds) => set({ formIds })}
    />
  ) : (
    <Checkboxes
      label={m.eventTypes}
      hint={m.eventTypesHint}
      field="eventTypeIds"
      options={options}
      chosen={draft.eventTypeIds}
      onChange={(eventTypeIds) => set({ eventTypeIds })}
    />
  )
}

interface LanguagesProps extends DraftProps, Pick<EditorProps, 'page'> {
  readonly shown: Language
  readonly onShow: (language: Language) => void
}

/** The languages that it is written in. */
function Languages({ draft, set, shown, onShow, page }: LanguagesProps) {
  const written = LANGUAGES.filter((one) => one === page.locale || draft.texts[one] !== undefined)
  const missing = LANGUAGES.filter((one) => !written.includes(one))
  const m = messageWords
  const add = async (language: Language) => {
    // Ready-made words in that language, if it still has the name of a ready-made text.
    const samples = Object.entries(m.samples) as [Sample, { readonly name: string }][]
    const sample = samples.find(([, { name }]) => name === draft.name)?.[0] ?? 'blank'
    const text = await readSample(sample, language, page)
    const fitting = draft.by === 'sms' ? { ...text, subject: '' } : text
    set({ texts: { ...draft.texts, [language]: fitting } })
    onShow(language)
  }
  return (
    <div className="field">
      <div className="preview-tools">
        {written.length > 1 && (
          <Segments
            label={m.textLanguage}
            value={shown}
            options={written.map((id) => ({ id, label: LANGUAGE_NAMES[id] }))}
            onChange={onShow}
          />
        )}
        {missing.length > 0 && (
          <Select
            label={m.addLanguage}
            hideLabel
            value=""
            options={[
              { id: '', label: m.addLanguage },
              ...missing.map((id) => ({ id, label: LANGUAGE_NAMES[id] })),
            ]}
            onChange={(chosen) => {
              const language = missing.find((one) => one === chosen)
              if (language !== undefined) void add(language)
            }}
          />
        )}
      </div>
      <p className="hint">{tell(m.otherLanguages, { language: LANGUAGE_NAMES[page.locale] })}</p>
      {shown !== page.locale && (
        <div>
          <button
            type="button"
            className="text-button"
            onClick={() => {
              const { [shown]: _, ...texts } = draft.texts
              set({ texts })
              onShow(page.locale)
            }}
          >
            {tell(m.removeLanguage, { language: LANGUAGE_NAMES[shown] })}
          </button>
        </div>
      )}
    </div>
  )
}
