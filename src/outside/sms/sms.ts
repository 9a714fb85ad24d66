import { type Sentence, say, sentence } from '../../domain/sentence.ts'

/** A text to a phone. */
export interface Sms {
  /** The same when it is sent again. */
  readonly id: string
  /** In E.164 form. */
  readonly to: string
  readonly text: string
}

/** A provider that sends texts to phones. */
export interface SmsSender {
  /**
   * Sends it, and resolves with what the provider calls it; empty if that is nothing.
   *
   * Throws `SmsRefused` or `SmsNotAsked`. After any other error, nobody knows whether it was sent.
   */
  readonly send: (sms: Sms) => Promise<string>
  /** Whether the provider knows a repeat by its id, so that asking again is safe. */
  readonly isIdempotent: boolean
  /** Checks the settings without texting anyone; throws what is wrong. */
  readonly check: () => Promise<void>
  /** Whether a call from outside is the provider's; left out where it makes none. */
  readonly isGenuine?: (call: SmsCall) => boolean
}

/** A call from outside about a text. */
export interface SmsCall {
  /** As the provider sees it. */
  readonly url: string
  readonly form: URLSearchParams
  readonly signature: string
}

/** The provider refuses this text for good: asking again can't help. */
export class SmsRefused extends Error {
  override readonly name = 'SmsRefused'
  readonly sentence: Sentence

  constructor(reason: Sentence, options?: ErrorOptions) {
    super(say(reason), options)
    this.sentence = reason
  }
}

/** The provider could not be reached, so it has not sent anything. */
export class SmsNotAsked extends Error {
  override readonly name = 'SmsNotAsked'
  readonly sentence = sentence`The provider of text messages can’t be reached.`

  constructor(options: ErrorOptions) {
    super('The provider of text messages can’t be reached.', options)
  }
}

/** Why nothing can be sent until the operator has mended the settings. */
export const KEY_REFUSED = sentence`The provider of text messages refuses our key.`

/** Milliseconds for a whole request. */
export const SMS_TIMEOUT = 15_000
