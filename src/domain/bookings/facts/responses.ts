import type { RoutedResponse } from '../../forms/route.ts'
import { Fact } from './fact.ts'

/** A response to a routing form, and what was booked with it. */
interface SpentResponse {
  readonly id: string
  readonly bookingId: string
}

interface Asked {
  /** The response to a routing form that the guest came with. */
  readonly responseId?: string
}

interface Written {
  /** Responses to routing forms that were used to book. */
  readonly spentResponses?: readonly SpentResponse[]
}

/** Responses to routing forms that guests came with. */
export class Responses extends Fact<Asked, Written> {
  readonly #responses = new Map<string, RoutedResponse>()

  add(response: RoutedResponse): void {
    this.#responses.set(response.id, response)
  }

  find(id: string): RoutedResponse | undefined {
    return this.#responses.get(id)
  }

  override apply({ spentResponses = [] }: Written): void {
    for (const { id, bookingId } of spentResponses) {
      const response = this.find(id)
      if (response !== undefined) this.add({ ...response, bookingId })
    }
  }
}
