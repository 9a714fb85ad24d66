import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Live } from '../../parts/live.tsx'
import { words } from '../words.ts'
import { call, type Versioned } from './api.ts'
import { Action } from './controls.tsx'
import { isConflict, sentenceOf } from './data.ts'
import { Conflict } from './page.tsx'
import { useUnsaved } from './router.tsx'

type Draft = object

/** A copy to change, which is saved for the version it was made from. */
export function useDraft<T extends Draft>(path: string, loaded: Versioned<T>, touches: readonly string[]) {
  const client = useQueryClient()
  const [base, setBase] = useState(loaded)
  const [draft, setDraft] = useState(loaded.body)
  const changes = useMemo(() => changesOf(base.body, draft), [base, draft])
  const dirty = Object.keys(changes).length > 0
  useUnsaved(dirty)
  const save = useMutation({
    mutationFn: () => call<T>(path, { method: 'PATCH', body: changes, version: base.version }),
    onSuccess: (answer) => {
      setBase(answer)
      setDraft(answer.body)
      client.setQueryData(['one', path], answer)
      return client.invalidateQueries({
        predicate: ({ queryKey }) =>
          queryKey[0] === 'slots' ||
          touches.some((touched) => String(queryKey[1]).startsWith(touched) && queryKey[1] !== path),
      })
    },
  })
  return {
    draft,
    dirty,
    save,
    set: (part: Partial<T>) => {
      if (save.isError || save.isSuccess) save.reset()
      setDraft((present) => ({ ...present, ...part }))
    },
    discard: () => {
      save.reset()
      setDraft(base.body)
    },
    reload: async () => {
      const newest = await call<T>(path)
      client.setQueryData(['one', path], newest)
      save.reset()
      setBase(newest)
      setDraft(newest.body)
    },
    /** Why saving was refused, if that is about one of these words. */
    errorAbout: (...about: readonly string[]) => {
      if (!save.isError || isConflict(save.error)) return undefined
      const sentence = sentenceOf(save.error)
      return about.some((word) => new RegExp(`(^|[^\\w])${word}([^\\w]|$)`, 'i').test(sentence))
        ? sentence
        : undefined
    },
  }
}

export type DraftOf<T extends Draft> = ReturnType<typeof useDraft<T>>

function changesOf<T extends Draft>(before: T, after: T): Partial<T> {
  const keys = Object.keys(after) as (keyof T)[]
  return Object.fromEntries(
    keys
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((key) => [key, after[key]]),
  ) as Partial<T>
}

/** Stands at the foot of an editor as long as there is something to save, or to say about it. */
export function SaveBar<T extends Draft>({ draft }: { readonly draft: DraftOf<T> }) {
  const { save, dirty } = draft
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!save.isError) return
    // The mistake itself, if we know where it is; otherwise what was said about it.
    const mistake = document.querySelector<HTMLElement>('main [aria-invalid="true"]')
    const target = mistake ?? bar.current
    target?.focus()
  }, [save.isError])
  return (
    <>
      <Live>{save.isSuccess && !dirty ? words.saved : ''}</Live>
      {isConflict(save.error) && (
        <div className="save-bar" ref={bar} tabIndex={-1}>
          <Conflict onReload={() => void draft.reload()} />
        </div>
      )}
      {!isConflict(save.error) && (dirty || save.isSuccess) && (
        <div className="save-bar" ref={bar} tabIndex={-1}>
          <div className="flex-1 basis-48" role={save.isError ? 'alert' : undefined}>
            {save.isError ? (
              <span className="text-danger">{sentenceOf(save.error)}</span>
            ) : (
              <span className="text-muted">{dirty ? words.unsaved : words.saved}</span>
            )}
          </div>
          {dirty && (
            <>
              <Action onPress={draft.discard}>{words.discard}</Action>
              <Action kind="main" busy={save.isPending} onPress={() => save.mutate()}>
                {words.save}
              </Action>
            </>
          )}
        </div>
      )}
    </>
  )
}
