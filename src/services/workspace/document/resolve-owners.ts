import { isGone, type User } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { english } from '../../../domain/sentence.ts'
import type { Trx } from '../../../store/engine/database.ts'
import { isEventSlugInUse } from '../../../store/event-types/event-types.ts'
import { isFormSlugInUse } from '../../../store/forms/forms.ts'
import { newId } from '../../../store/new-id.ts'
import { isSlugInUse } from '../../../store/people/schedulers.ts'
import { findUserByEmail } from '../../../store/people/users.ts'
import { readEmail } from '../../people/sign-in/sign-in.ts'
import type {
  Workspace,
  WorkspaceEventType,
  WorkspaceForm,
  WorkspaceTeam,
  WorkspaceUser,
} from './document.ts'

/** A user or team of a workspace, with its id and slug on this instance. */
export type Owner = (
  | {
      readonly kind: 'user'
      readonly given: WorkspaceUser
      readonly email: string
      readonly existing: User | undefined
    }
  | { readonly kind: 'team'; readonly given: WorkspaceTeam; readonly existing: undefined }
) & {
  readonly id: string
  readonly slug: string
  readonly eventTypes: readonly Resolved<WorkspaceEventType>[]
  readonly forms: readonly Resolved<WorkspaceForm>[]
}

interface Resolved<T> {
  readonly given: T
  readonly id: string
  readonly slug: string
}

/**
 * Finds the users who exist here, and gives everything else an id and a slug.
 *
 * Throws `slug_taken` with all taken slugs, unless `rename` allows adding a number to them.
 */
export async function resolveOwners(
  trx: Trx,
  { users, teams }: Workspace,
  rename: boolean,
): Promise<Owner[]> {
  refuseDuplicates(
    [...users, ...teams].map(({ slug }) => slug),
    'users or teams with the slug',
  )
  refuseDuplicates(
    users.map(({ email }) => readEmail(email)),
    'users with the address',
  )
  refuseDuplicates(
    users.flatMap(({ schedules }) => schedules.map(({ id }) => id)),
    'schedules with the id',
  )
  const slugs = new Slugs(rename)
  const owners: Owner[] = []
  for (const given of users) {
    const email = readEmail(given.email)
    const existing = await findUserByEmail(trx, email)
    if (existing !== undefined && isGone(existing)) {
      throw new Problem('in_use', english`The account ${email} is being deleted. Try again when it is gone.`)
    }
    const slug =
      existing?.slug ?? (await slugs.choose('', given.slug, (candidate) => isSlugInUse(trx, candidate)))
    const id = existing?.id ?? newId()
    owners.push({
      kind: 'user',
      given,
      email,
      existing,
      id,
      slug,
      ...(await resolveContents(trx, slugs, given, id)),
    })
  }
  for (const given of teams) {
    const slug = await slugs.choose('', given.slug, (candidate) => isSlugInUse(trx, candidate))
    const id = newId()
    owners.push({
      kind: 'team',
      given,
      existing: undefined,
      id,
      slug,
      ...(await resolveContents(trx, slugs, given, id)),
    })
  }
  slugs.refuseTaken()
  return owners
}

async function resolveContents(
  trx: Trx,
  slugs: Slugs,
  owner: WorkspaceUser | WorkspaceTeam,
  ownerId: string,
): Promise<Pick<Owner, 'eventTypes' | 'forms'>> {
  const resolve = async <T extends { readonly slug: string }>(
    all: readonly T[],
    what: string,
    isTaken: typeof isEventSlugInUse,
  ): Promise<Resolved<T>[]> => {
    refuseDuplicates(
      all.map(({ slug }) => slug),
      `${what} of ${owner.slug} with the slug`,
    )
    const resolved: Resolved<T>[] = []
    for (const given of all) {
      const scope = `${owner.slug}/${what === 'forms' ? 'forms/' : ''}`
      const slug = await slugs.choose(scope, given.slug, (candidate) => isTaken(trx, ownerId, candidate))
      resolved.push({ given, id: newId(), slug })
    }
    return resolved
  }
  return {
    eventTypes: await resolve(owner.eventTypes, 'event types', isEventSlugInUse),
    forms: await resolve(owner.routingForms, 'forms', isFormSlugInUse),
  }
}

/** Chooses the slugs that imported objects get. */
class Slugs {
  readonly #rename: boolean
  readonly #given = new Set<string>()
  readonly #taken: string[] = []

  constructor(rename: boolean) {
    this.#rename = rename
  }

  /** The slug itself if it is free within `scope`, otherwise the slug with a number. */
  async choose(
    scope: string,
    slug: string,
    isTaken: (candidate: string) => Promise<boolean>,
  ): Promise<string> {
    let candidate = slug
    for (let number = 2; this.#given.has(scope + candidate) || (await isTaken(candidate)); number++) {
      if (!this.#rename) {
        this.#taken.push(scope + slug)
        return slug
      }
      candidate = `${slug.slice(0, 58)}-${number}`
    }
    this.#given.add(scope + candidate)
    return candidate
  }

  refuseTaken(): void {
    if (this.#taken.length === 0) return
    throw new Problem(
      'slug_taken',
      english`Taken here already: ${this.#taken.join(', ')}. With --rename, they get a number.`,
    )
  }
}

function refuseDuplicates(values: readonly string[], what: string): void {
  const duplicate = values.find((value, index) => values.indexOf(value) < index)
  if (duplicate !== undefined) throw new Problem('invalid', english`The file has two ${what} "${duplicate}".`)
}
