import { Fact } from './fact.ts'

interface Asked {
  /** Hosts to lock. */
  readonly hostIds: readonly string[]
  /** Meetings whose hosts are locked as well. */
  readonly meetingIds?: readonly string[]
  /** Users and teams whose settings the decision depends on. */
  readonly dependsOn?: readonly string[]
}

/** Users and teams: which of them are locked, and the revisions of their settings. */
export class Schedulers extends Fact<Asked, object> {
  readonly #locked = new Set<string>()
  readonly #revisions = new Map<string, number>()

  add(id: string, revision: number, isLocked: boolean): void {
    this.#revisions.set(id, revision)
    if (isLocked) this.#locked.add(id)
  }

  isLocked(id: string): boolean {
    return this.#locked.has(id)
  }

  /** Grows with every change to what a user or team offers; undefined if there is no such scheduler. */
  revisionOf(id: string): number | undefined {
    return this.#revisions.get(id)
  }
}
