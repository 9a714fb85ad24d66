/** The events of a calendar in a stand-in, and in which order they changed. */
export interface ChangeLog<Event extends { id?: string | null | undefined }> {
  /** Adds an event, or replaces the one with its id. */
  put(event: Event): void
  remove(id: string): void
  /** The events as they are now. */
  readonly events: readonly Event[]
  /** How many changes there were. */
  readonly revision: number
  /** What has changed after this revision, once each: an event, or the id of one that is gone. */
  since(revision: number): { readonly id: string; readonly event: Event | undefined }[]
  /** Forgets the revisions before the present one. */
  forget(): void
  /** Whether changes since this revision are still known. */
  knows(revision: number): boolean
}

export function createChangeLog<Event extends { id?: string | null | undefined }>(
  onChange: () => void,
): ChangeLog<Event> {
  const known = new Map<string, { event: Event | undefined; revision: number }>()
  let [revision, oldest] = [0, 0]
  const change = (id: string, event: Event | undefined) => {
    known.set(id, { event, revision: ++revision })
    onChange()
  }
  return {
    put: (event) => change(event.id ?? '', event),
    remove: (id) => change(id, undefined),
    get events() {
      return [...known.values()].flatMap(({ event }) => event ?? [])
    },
    get revision() {
      return revision
    },
    since: (from) =>
      [...known]
        .filter(([, one]) => one.revision > from)
        .sort(([, a], [, b]) => a.revision - b.revision)
        .map(([id, { event }]) => ({ id, event })),
    forget: () => {
      revision++
      oldest = revision
    },
    knows: (from) => from >= oldest && from <= revision,
  }
}
