import { type Sentence, say } from '../../domain/sentence.ts'

/** A text to a phone. */
export interface Sms {
  /** The same when it is sent again. */
  readonly id: string
  /** In E.164 form. */
  readonly to: string
  readonly text: string
}

/** Someone who sends texts to phones. */
export interface SmsSender {
  /** Sends it; resolves with the provider's own id of it, if it gives one. */
  readonly send: (sms: Sms) => Promise<string>
  /** Whether the provider knows a repeat by its id, so that asking again is safe. */
  readonly isIdempotent: boolean
  /** Checks the settings without texting anyone; throws what is wrong. */
  readonly check: () => Promise<void>
}

/** The provider refuses this text for good: asking again can't help. */
export class SmsRefused extends Error {
  override readonly name = 'SmsRefused'
  readonly sentence: Sentence

  constructor(sentence: Sentence, options?: ErrorOptions) {
    super(say(sentence), options)
    this.sentence = sentence
  }
}
