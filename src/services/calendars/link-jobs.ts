import { GiveUp, type NewJob, TryAgainAt } from '../../domain/job.ts'
import { GrantLost } from '../../outside/accounts/oauth.ts'
import { ProviderFailure } from '../../outside/accounts/provider.ts'
import type { MeetingLink } from '../../store/calendars/meeting-links.ts'

/** A meeting at a provider that is no longer wanted. */
export type FormerLink = Pick<
  MeetingLink,
  'meetingId' | 'awaitedUntil' | 'connectionId' | 'externalId' | 'attemptedAt'
>

/** The data of a `meeting-link` job: a meeting whose link to bring up to date, or one to remove. */
export type LinkWork = { readonly meetingId: string } | { readonly former: FormerLink }

/** Makes a meeting's link, tells the provider a new time, or removes it: whatever is right when the job runs. */
export function linkJob(meetingId: string, dueAt: number): NewJob {
  const data: LinkWork = { meetingId }
  return { kind: 'meeting-link', lane: `link:${meetingId}`, data, dueAt }
}

/** Removes what another host's account has for a meeting. */
export function formerLinkJob(link: MeetingLink, dueAt: number): NewJob {
  const { meetingId, awaitedUntil, connectionId, externalId, attemptedAt } = link
  const former = { meetingId, awaitedUntil, connectionId, externalId, attemptedAt }
  return { kind: 'meeting-link', lane: `link:${meetingId}`, data: { former } satisfies LinkWork, dueAt }
}

/** A provider's failure as the worker understands it: give up, or when to try again. */
export function jobFailureOf(error: unknown, now: number): unknown {
  if (!(error instanceof ProviderFailure) || error instanceof GrantLost) return error
  if (error.code === 'refused') return new GiveUp(error.sentence, { cause: error })
  const { retryAfter } = error
  return retryAfter === undefined ? error : new TryAgainAt(now + retryAfter, error.sentence, { cause: error })
}
