import { randomUUIDv7 } from 'node:crypto'
import type { User } from '../../domain/people/user.ts'
import { Problem } from '../../domain/problem.ts'
import type { Trx } from '../../store/engine/database.ts'
import { isEventSlugTaken } from '../../store/event-types/event-types.ts'
import { isFormSlugTaken } from '../../store/forms/forms.ts'
import { isSlugTaken } from '../../store/people/schedulers.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import { readEmail } from '../people/sign-in.ts'
import type {
  Workspace,
  WorkspaceEventType,
  WorkspaceForm,
  WorkspaceTeam,
  WorkspaceUser,
} from './document.ts'

/** A user or team of a workspace, with the place that it will have on this instance. */
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
  readonly eventTypes: readonly Placed<WorkspaceEventType>[]
  readonly forms: readonly Placed<WorkspaceForm>[]
}

export interface Placed<T> {
  readonly given: T
  readonly id: string
  readonly slug: string
}

/**
 * Finds out who is here already, and gives everything else an id and a slug.
 *
 * Throws `slug_taken` with the whole list, unless what is taken may be renamed.
 */
export async function findPlaces(trx: Trx, { users, teams }: Workspace, rename: boolean): Promise<Owner[]> {
  refuseTwice(
    [...users, ...teams].map(({ slug }) => slug),
    'users or teams with the slug',
  )
  refuseTwice(
    users.map(({ email }) => readEmail(email)),
    'users with the address',
  )
  refuseTwice(
    users.flatMap(({ schedules }) => schedules.map(({ id }) => id)),
    'schedules with the id',
  )
  const slugs = new Slugs(rename)
  const owners: Owner[] = []
  for (const given of users) {
    const email = readEmail(given.email)
    const existing = await findUserByEmail(trx, email)
    const slug = existing?.slug ?? (await slugs.settle('', given.slug, (wish) => isSlugTaken(trx, wish)))
    const id = existing?.id ?? randomUUIDv7()
    owners.push({
      kind: 'user',
      given,
      email,
      existing,
      id,
      slug,
      ...(await placesOf(trx, slugs, given, id)),
    })
  }
  for (const given of teams) {
    const slug = await slugs.settle('', given.slug, (wish) => isSlugTaken(trx, wish))
    const id = randomUUIDv7()
    owners.push({
      kind: 'team',
      given,
      existing: undefined,
      id,
      slug,
      ...(await placesOf(trx, slugs, given, id)),
    })
  }
  slugs.refuseTaken()
  return owners
}

async function placesOf(
  trx: Trx,
  slugs: Slugs,
  owner: WorkspaceUser | WorkspaceTeam,
  ownerId: string,
): Promise<Pick<Owner, 'eventTypes' | 'forms'>> {
  const place = async <T extends { readonly slug: string }>(
    all: readonly T[],
    what: string,
    isTaken: typeof isEventSlugTaken,
  ): Promise<Placed<T>[]> => {
    refuseTwice(
      all.map(({ slug }) => slug),
      `${what} of ${owner.slug} with the slug`,
    )
    const placed: Placed<T>[] = []
    for (const given of all) {
      const scope = `${owner.slug}/${what === 'forms' ? 'forms/' : ''}`
      const slug = await slugs.settle(scope, given.slug, (wish) => isTaken(trx, ownerId, wish))
      placed.push({ given, id: randomUUIDv7(), slug })
    }
    return placed
  }
  return {
    eventTypes: await place(owner.eventTypes, 'event types', isEventSlugTaken),
    forms: await place(owner.routingForms, 'forms', isFormSlugTaken),
  }
}

/** Slugs that things of a file will have here. */
class Slugs {
  readonly #rename: boolean
  readonly #given = new Set<string>()
  readonly #taken: string[] = []

  constructor(rename: boolean) {
    this.#rename = rename
  }

  /** The slug itself if it is free within `scope`, or else one with a number. */
  async settle(scope: string, slug: string, isTaken: (wish: string) => Promise<boolean>): Promise<string> {
    let wish = slug
    for (let number = 2; this.#given.has(scope + wish) || (await isTaken(wish)); number++) {
      if (!this.#rename) {
        this.#taken.push(scope + slug)
        return slug
      }
      wish = `${slug.slice(0, 58)}-${number}`
    }
    this.#given.add(scope + wish)
    return wish
  }

  refuseTaken(): void {
    if (this.#taken.length === 0) return
    throw new Problem(
      'slug_taken',
      `Taken here already: ${this.#taken.join(', ')}. With --rename, they get a number.`,
    )
  }
}

function refuseTwice(values: readonly string[], what: string): void {
  const twice = values.find((value, index) => values.indexOf(value) < index)
  if (twice !== undefined) throw new Problem('invalid', `The file has two ${what} "${twice}".`)
}
