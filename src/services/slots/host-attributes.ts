import { type BookableEventType, type BookableHost, rotatingHostOf } from '../../domain/bookings/bookable.ts'
import { type ComparableValues, comparableValues } from '../../domain/forms/host-filter.ts'
import type { Attribute } from '../../domain/people/attributes.ts'
import type { Db } from '../../store/engine/database.ts'
import { findAttributedMembers, findAttributes } from '../../store/people/attributes.ts'

/** What a team records about the hosts of an event type. */
export interface HostAttributes {
  readonly attributes: readonly Attribute[]
  /**
   * What is set for hosts. Those with the same values share one, so a filter asks a team of 500 a few times only: a
   * seventh of an evaluation.
   */
  readonly values: readonly ComparableValues[]
  /** Which of these is that of the host who takes turns, by group. */
  readonly valuesOfGroup: readonly number[]
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
    const written = new Map(members.map((member) => [member.userId, JSON.stringify(member.attributes)]))
    const known = new Map<string, number>()
    const values: ComparableValues[] = []
    const valuesOfGroup = groups.map((group) => {
      const text = written.get(rotatingHostOf(group)) ?? '{}'
      let index = known.get(text)
      if (index === undefined) {
        index = values.push(comparableValues(JSON.parse(text))) - 1
        known.set(text, index)
      }
      return index
    })
    const read = { attributes, values, valuesOfGroup }
    this.#kept.set(hosts, read)
    return read
  }
}
