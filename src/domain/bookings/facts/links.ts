import type { PrivateLink } from '../private-link.ts'
import { Fact } from './fact.ts'

interface Asked {
  /** The private link that the guest came with. */
  readonly linkId?: string
}

interface Written {
  /** Private links of which a use is spent. */
  readonly spentLinks?: readonly string[]
  /** Private links that get a use back. */
  readonly unspentLinks?: readonly string[]
}

/** Private links that guests came with. */
export class Links extends Fact<Asked, Written> {
  readonly #links = new Map<string, PrivateLink>()

  add(link: PrivateLink): void {
    this.#links.set(link.id, link)
  }

  find(id: string): PrivateLink | undefined {
    return this.#links.get(id)
  }

  override apply({ spentLinks = [], unspentLinks = [] }: Written): void {
    for (const id of spentLinks) this.#use(id, 1)
    for (const id of unspentLinks) this.#use(id, -1)
  }

  #use(id: string, by: number): void {
    const link = this.find(id)
    if (link !== undefined) this.add({ ...link, used: Math.max(0, link.used + by) })
  }
}
