import { type BookableEventType, type BookableHost, rotatingHostOf } from '../../domain/bookings/bookable.ts'
import { type ComparableValues, comparableValues } from '../../domain/forms/host-filter.ts'
import type { Attribute } from '../../domain/people/attributes.ts'
import type { Db } from '../../store/engine/database.ts'
import { findAttributedMembers, findAttributes } from '../../store/people/attributes.ts'

/** What a team records about the hosts of an event type. */
export interface HostAttributes {
  readonly attributes: readonly Attribute[]
  /** What is set for the host of each group who takes turns, in the order of the groups. */
  readonly values: readonly ComparableValues[]
}

/** Attributes of hosts, kept as long as the bookable event type is: a change to either makes it be read anew. */
export class AttributesOfHosts {
  readonly #db: Db
  readonly #kept = new WeakMap<readonly BookableHost[], HostAttributes>()

  constructor(db: Db) {
    this.#db = db
  }

  get(bookable: BookableEventType): HostAttributes | Promise<HostAttributes> {
    return this.#kept.get(bookable.hosts) ?? this.#read(bookable)
  }

  async #read({ scheduler, hosts, groups }: BookableEventType): Promise<HostAttributes> {
    const [attributes, members] = await Promise.all([
      findAttributes(this.#db, scheduler.id),
      findAttributedMembers(this.#db, scheduler.id),
    ])
    const byHost = new Map(members.map((member) => [member.userId, comparableValues(member.attributes)]))
    const values = groups.map((group) => byHost.get(rotatingHostOf(group)) ?? NOTHING_SET)
    const read = { attributes, values }
    this.#kept.set(hosts, read)
    return read
  }
}

const NOTHING_SET: ComparableValues = new Map()
