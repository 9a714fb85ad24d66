import { type ReactNode, useState } from 'react'
import type { Moment } from '../../../src/domain/messages/moments.ts'
import { Live } from '../../parts/live.tsx'
import { AddItem } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { type Owner, useChange, useOne } from '../core/data/data.ts'
import type { MessageView, PageView } from '../core/data/views.ts'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { Loaded, RowsSkeleton } from '../core/page.tsx'
import { TimedUndoToast } from '../core/undo-toast.tsx'
import { messageWords, tell } from '../words.ts'
import { type EditorProps, MessageEditor } from './message-editor.tsx'
import { NewMessage } from './new-message.tsx'
import type { Sample } from './samples.ts'
import { AFFECTED, type Beginning, emptyMessage, NEW, useDeleting, useEditing } from './use-messages.ts'

/** What can be done with the messages of a page. */
export interface Desk {
  readonly mayChange: boolean
  /** The message that is open. */
  readonly editing: string | undefined
  readonly edit: (id: string) => void
  /** Where a new message is written, instead of below all others. */
  readonly place: string | undefined
  /** The message that was open before. */
  readonly closed: string | undefined
  readonly begin: (sample: Sample, beginning: Beginning, place: string) => void
  readonly turn: (message: MessageView) => void
  readonly test: (message: MessageView) => void
  readonly remove: (message: MessageView) => void
  /** The editor of a message; without an id, of the new one. */
  readonly editor: (id?: string) => ReactNode
}

interface Props {
  readonly owner: Owner
  readonly page: Pick<PageView, 'locale' | 'germanAddress'>
  readonly messages: readonly MessageView[]
  readonly eventTypeId?: string | undefined
  /** What a new message belongs to. */
  readonly scope: Partial<Pick<MessageView, 'eventTypeIds' | 'formIds'>>
  /** The only moment that new messages can have. */
  readonly only?: Moment
  /** Where a new message is kept while it is not saved. */
  readonly newPath: string
  readonly children: (desk: Desk) => ReactNode
}

/** Messages with all that one can do about them. */
export function MessageDesk({ owner, page, messages, eventTypeId, scope, only, newPath, children }: Props) {
  const { editing, opened, place, closed, edit, close, begin } = useEditing(page, newPath, messages)
  const [adding, setAdding] = useState(false)
  const deleting = useDeleting(owner)
  const turn = useChange(
    ({ id, enabled }: MessageView) =>
      call(`/messages/${id}`, { method: 'PATCH', body: { enabled: !enabled } }),
    AFFECTED,
  )
  const test = useChange(({ id }: MessageView) => call(`/messages/${id}/test`, { method: 'POST' }), [])
  const m = messageWords
  const start = (sample: Sample, beginning: Beginning, where = '') =>
    void begin(sample, { ...beginning, ...scope }, where)
  const given = { owner, page, eventTypeId, opened: opened ?? false, onClose: close }
  const editorOf = (id?: string) =>
    id === undefined ? (
      <MessageEditor
        path={newPath}
        loaded={{ body: emptyMessage(owner.id), version: undefined }}
        {...given}
      />
    ) : (
      <SavedEditor key={id} id={id} {...given} />
    )
  return (
    <>
      <Live>{test.isSuccess ? m.tested : ''}</Live>
      {test.isSuccess && (
        <p className="notice-good" aria-hidden="true">
          {m.tested}
        </p>
      )}
      <ErrorAlert error={deleting.error ?? turn.error ?? test.error} />
      {children({
        // One at a time: others would hide what is not saved.
        mayChange: owner.manages && editing === undefined,
        editing,
        place,
        closed,
        edit,
        begin: start,
        turn: turn.mutate,
        test: test.mutate,
        remove: deleting.remove,
        editor: editorOf,
      })}
      {editing === NEW
        ? !place && editorOf()
        : owner.manages &&
          editing === undefined && <AddItem onPress={() => setAdding(true)}>{m.add}</AddItem>}
      {adding && <NewMessage only={only} onBegin={start} onClose={() => setAdding(false)} />}
      {deleting.deleted && (
        <TimedUndoToast
          key={deleting.deleted.id}
          text={tell(m.deleted, { name: deleting.deleted.name })}
          label={tell(m.undoDeleting, { name: deleting.deleted.name })}
          busy={deleting.busy}
          onUndo={deleting.undo}
          onEnd={deleting.end}
        />
      )}
    </>
  )
}

type SavedProps = Omit<EditorProps, 'path' | 'loaded'> & { readonly id: string }

/** The editor of a message with its present version. */
function SavedEditor({ id, ...props }: SavedProps) {
  const path = `/messages/${id}`
  return (
    <Loaded query={useOne<MessageView>(path)} skeleton={<RowsSkeleton rows={3} />}>
      {(loaded) => <MessageEditor path={path} loaded={loaded} {...props} />}
    </Loaded>
  )
}
