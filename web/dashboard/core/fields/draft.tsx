import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Live } from '../../../parts/live.tsx'
import { words } from '../../words.ts'
import { Button } from '../buttons.tsx'
import { call, type Versioned } from '../data/api.ts'
import { errorText, isConflict } from '../data/errors.ts'
import { Conflict } from '../page.tsx'
import { useUnsaved } from '../router.tsx'
import { useFormError } from './form-errors.tsx'
import { dropDraft, keepDraft, readDraft } from './kept-drafts.ts'

/**
 * A copy to edit, which is saved for the version it was made from. Changes that were not saved are still in it.
 * `create` saves what does not exist yet.
 */
export function useDraft<T extends object>(
  path: string,
  loaded: Versioned<T>,
  affected: readonly string[],
  create?: (draft: T) => Promise<Versioned<T>>,
) {
  const client = useQueryClient()
  const [base, setBase] = useState(loaded)
  const [draft, setDraft] = useState(() => ({ ...loaded.body, ...readDraft(path, loaded.body) }))
  const changes = useMemo(() => changesOf(base.body, draft), [base, draft])
  const dirty = Object.keys(changes).length > 0
  const restored = useKeptChanges(path, changes, dirty)
  const save = useMutation({
    mutationFn: () =>
      create?.(draft) ?? call<T>(path, { method: 'PATCH', body: changes, version: base.version }),
    onSuccess: (answer) => {
      setBase(answer)
      setDraft(answer.body)
      client.setQueryData(['one', path], answer)
      return client.invalidateQueries({
        predicate: ({ queryKey }) =>
          queryKey[0] === 'slots' ||
          affected.some((prefix) => String(queryKey[1]).startsWith(prefix) && queryKey[1] !== path),
      })
    },
  })
  return {
    draft,
    dirty,
    /** Whether it began with changes from before. */
    restored,
    save,
    set: (part: Partial<T>) => {
      if (save.isError || save.isSuccess) save.reset()
      setDraft((present) => ({ ...present, ...part }))
    },
    discard: () => {
      save.reset()
      setDraft(base.body)
    },
    /** Loads the latest version, and keeps what the user has edited. */
    reload: async () => {
      const latest = await call<T>(path)
      client.setQueryData(['one', path], latest)
      save.reset()
      setBase(latest)
      setDraft({ ...latest.body, ...changes })
    },
  }
}

/**
 * Keeps unsaved changes in this browser, and asks before someone leaves without them. Returns whether the page began with
 * some. `changes` is the same object until there are others.
 */
export function useKeptChanges(path: string, changes: object, dirty: boolean): boolean {
  const [restored, setRestored] = useState(dirty)
  const [kept, setKept] = useState(true)
  useEffect(() => {
    if (dirty) setKept(keepDraft(path, changes))
    else dropDraft(path)
    if (!dirty) setRestored(false)
  }, [path, changes, dirty])
  useUnsaved(dirty, { kept, onLeave: () => dropDraft(path) })
  return restored
}

export type DraftOf<T extends object> = ReturnType<typeof useDraft<T>>

function changesOf<T extends object>(before: T, after: T): Partial<T> {
  const keys = Object.keys(after) as (keyof T)[]
  return Object.fromEntries(
    keys
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((key) => [key, after[key]]),
  ) as Partial<T>
}

interface SaveBarProps<T extends object> {
  readonly draft: DraftOf<T>
  /** Buttons that are always in reach. Without them, the bar comes and goes. */
  readonly children?: ReactNode
}

/** Stays at the foot of an editor: says what is unsaved, and saves it. Inside its `FormErrors`. */
export function SaveBar<T extends object>({ draft, children }: SaveBarProps<T>) {
  const { save, dirty } = draft
  const failed = useFormError()
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A control that shows the error takes the focus itself.
    if (failed !== undefined && failed.path === undefined) bar.current?.focus()
  }, [failed])
  const conflict = isConflict(save.error)
  return (
    <>
      <Live>{save.isSuccess && !dirty ? words.saved : draft.restored && dirty ? words.restored : ''}</Live>
      {conflict && (
        <div className="save-bar" ref={bar} tabIndex={-1}>
          <Conflict onReload={() => void draft.reload()} />
        </div>
      )}
      {!conflict && (dirty || save.isSuccess || children) && (
        <div className="save-bar" ref={bar} tabIndex={-1} data-dirty={dirty || undefined}>
          <div className="save-state" role={failed === undefined ? undefined : 'alert'}>
            {failed === undefined ? (
              <span className="muted">
                {dirty
                  ? draft.restored
                    ? words.restored
                    : words.unsaved
                  : save.isSuccess
                    ? words.saved
                    : words.noChanges}
              </span>
            ) : (
              <span className="danger">
                {failed.path === undefined ? errorText(failed.error) : words.notSaved}
              </span>
            )}
          </div>
          {children && <div className="actions actions-tight">{children}</div>}
          {dirty && (
            <div className="actions actions-tight">
              <Button small onPress={draft.discard}>
                {words.discard}
              </Button>
              <Button small kind="primary" busy={save.isPending} onPress={() => save.mutate()}>
                {words.save}
              </Button>
            </div>
          )}
        </div>
      )}
    </>
  )
}
