import { useState } from 'react'
import type { Language } from '../../../src/domain/languages.ts'
import { MESSAGE_DEFAULTS } from '../../../src/domain/messages/message.ts'
import { call, type Versioned } from '../core/data/api.ts'
import { type Owner, useAll, useChange, useOne } from '../core/data/data.ts'
import type { MessageView, PageView } from '../core/data/views.ts'
import { dropDraft, keepDraft, readDraft } from '../core/fields/kept-drafts.ts'
import { wordingOf } from '../core/language.ts'
import { messageWords, readMessageWords } from '../words.ts'
import { type Sample, sampleText } from './samples.ts'

/** What shows messages, and must be loaded again when one changes. */
export const AFFECTED = ['/messages', '/event-types', '/bookings']

/** The messages of an owner, of those that `isShown`. */
export function useMessages(ownerId: string, isShown: (message: MessageView) => boolean) {
  const all = useAll<MessageView>('/messages')
  return { ...all, data: all.data?.filter((message) => message.ownerId === ownerId && isShown(message)) }
}

/** The owner's own settings: a text in their language is always needed. */
export const useOwnerPage = ({ id, team }: Owner) =>
  useOne<Pick<PageView, 'locale' | 'germanAddress'>>(team ? `/teams/${id}` : '/me')

/** What the API takes of a message. */
export function contentOf({ id, ownerId, createdAt, ...content }: MessageView, owner: Owner) {
  return { ...content, ...(owner.team && { teamId: owner.id }) }
}

export const createMessage = (message: MessageView, owner: Owner): Promise<Versioned<MessageView>> =>
  call<MessageView>('/messages', { method: 'POST', body: contentOf(message, owner) })

/** A message that is not saved yet, before anything is written. */
export const emptyMessage = (ownerId: string): MessageView => ({
  ...MESSAGE_DEFAULTS,
  id: '',
  ownerId,
  name: '',
  on: 'booked',
  texts: {},
  createdAt: '',
})

/** A ready-made text in a language, as this owner addresses guests. */
export async function readSample(
  sample: Sample,
  locale: Language,
  { germanAddress }: Pick<PageView, 'germanAddress'>,
) {
  return sampleText(await readMessageWords(wordingOf({ locale, germanAddress })), sample)
}

/** How a new message begins. */
export type Beginning = Pick<MessageView, 'on' | 'minutes' | 'to' | 'replaces'> &
  Partial<Pick<MessageView, 'eventTypeIds' | 'formIds' | 'name'>>

/** The id of a message that is not saved yet. */
export const NEW = 'new'

/** What the user has chosen to edit; nothing once they have closed it. */
interface Chosen {
  /** An id, or `NEW`. */
  readonly editing?: string | undefined
  /** Whether it was opened just now. */
  readonly opened?: true
  /** Where a new message is written. */
  readonly place?: string
  /** What was edited before: the focus returns there. */
  readonly closed?: string
}

/**
 * Which message of a page is edited. It is open again after a reload if it was not saved.
 */
export function useEditing(
  page: Pick<PageView, 'locale' | 'germanAddress'>,
  newPath: string,
  messages: readonly MessageView[],
) {
  const [chosen, setChosen] = useState<Chosen>(() => {
    const paths = [newPath, ...messages.map(({ id }) => `/messages/${id}`)]
    const left = paths.find((path) => Object.keys(readDraft(path, emptyMessage(''))).length > 0)
    return { editing: left === newPath ? NEW : left?.replace('/messages/', '') }
  })
  return {
    ...chosen,
    edit: (id: string) => setChosen({ editing: id, opened: true }),
    close: (id: string) => setChosen({ closed: id }),
    begin: async (sample: Sample, beginning: Beginning, place: string) => {
      const text = await readSample(sample, page.locale, page)
      const name = beginning.name ?? messageWords.samples[sample].name
      dropDraft(newPath)
      // The greeting is for guests.
      const body = beginning.to === 'hosts' ? '' : text.body
      keepDraft(newPath, { ...beginning, name, texts: { [page.locale]: { ...text, body } } })
      setChosen({ editing: NEW, opened: true, place })
    },
  }
}

/** Deletes messages, and brings the last one back. */
export function useDeleting(owner: Owner) {
  const [deleted, setDeleted] = useState<MessageView>()
  const remove = useChange(({ id }: MessageView) => call(`/messages/${id}`, { method: 'DELETE' }), AFFECTED)
  const restore = useChange((message: MessageView) => createMessage(message, owner), AFFECTED)
  return {
    deleted,
    error: remove.error ?? restore.error,
    busy: restore.isPending,
    remove: (message: MessageView) => remove.mutate(message, { onSuccess: () => setDeleted(message) }),
    undo: () => deleted && restore.mutate(deleted, { onSuccess: () => setDeleted(undefined) }),
    end: () => setDeleted(undefined),
  }
}
