import type { FailedMessage, SubmittedForm, SubscribedEvent, ToldChange } from './webhook.ts'

/** What webhooks are told of. */
export type News =
  | { readonly change: ToldChange }
  | { readonly form: SubmittedForm }
  | { readonly failed: FailedMessage }

/** What other services' formats say besides the news itself. */
export interface Surroundings {
  readonly publicUrl: string
  /** Whole numbers for those who know no other ids, by ours. */
  readonly numbers: Readonly<Record<string, number>>
}

/** One delivery: what its format calls the event, and what it sends. */
export interface Telling {
  readonly event: SubscribedEvent
  readonly body: object
}

/** Says news in the words of one format; an empty list if it has none for them. */
export type Translator = (news: News, surroundings: Surroundings) => readonly Telling[]
