import { signedInUserId } from '../data/session.ts'

// What someone has typed survives a reload, a crash and signing out: it stays in this browser until it is saved or discarded.

const PREFIX = 'punctual:draft:'
const KEPT_FOR = 30 * 86_400_000

interface KeptDraft {
  readonly at: number
  readonly changes: object
}

/** Where the changes of the present user to the object at this path are kept. */
const keyOf = (path: string) => `${PREFIX}${signedInUserId()}:${path}`

/** The changes that were not saved, to fields that the object still has. */
export function readDraft<T extends object>(path: string, present: T): Partial<T> {
  const text = storage((store) => store.getItem(keyOf(path)))
  const changes = (text === false ? undefined : parse(text))?.changes ?? {}
  const known = Object.entries(changes).filter(([field]) => Object.hasOwn(present, field))
  return Object.fromEntries(known) as Partial<T>
}

/** Keeps the changes. Returns whether that worked. */
export function keepDraft(path: string, changes: object): boolean {
  const kept: KeptDraft = { at: Date.now(), changes }
  return storage((store) => store.setItem(keyOf(path), JSON.stringify(kept))) !== false
}

export function dropDraft(path: string): void {
  storage((store) => store.removeItem(keyOf(path)))
}

/** Removes what nobody has come back for. */
export function dropOldDrafts(): void {
  storage((store) => {
    for (const key of Object.keys(store).filter((one) => one.startsWith(PREFIX))) {
      if ((parse(store.getItem(key))?.at ?? 0) < Date.now() - KEPT_FOR) store.removeItem(key)
    }
  })
}

function parse(text: string | null): KeptDraft | undefined {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** False where the browser keeps nothing for us, or has no room. */
function storage<T>(use: (store: Storage) => T): T | false {
  try {
    return use(localStorage)
  } catch {
    return false
  }
}
