import { Fact } from './fact.ts'

/** A code that was mailed to an address. */
export interface MailedCode {
  readonly eventTypeId: string
  readonly address: string
  readonly codeHash: string
  readonly tries: number
  readonly expiresAt: number
}

interface Asked {
  /** The code that was mailed to this address for this event type. */
  readonly emailCode?: { readonly eventTypeId: string; readonly address: string }
}

interface Written {
  /** Codes that were used, which proves their addresses; `mailbox` has answered us. */
  readonly usedCodes?: readonly (MailedCode & { readonly mailbox: string })[]
  /** Codes of which a try is used up. */
  readonly failedCodes?: readonly MailedCode[]
}

/** Codes that prove guests' addresses. */
export class Codes extends Fact<Asked, Written> {
  readonly #codes = new Map<string, MailedCode>()

  add(code: MailedCode): void {
    this.#codes.set(`${code.eventTypeId} ${code.address}`, code)
  }

  find(eventTypeId: string, address: string): MailedCode | undefined {
    return this.#codes.get(`${eventTypeId} ${address}`)
  }

  override apply({ usedCodes = [], failedCodes = [] }: Written): void {
    for (const { eventTypeId, address } of usedCodes) this.#codes.delete(`${eventTypeId} ${address}`)
    for (const code of failedCodes) this.add({ ...code, tries: code.tries + 1 })
  }
}
