import { calendlyUris } from '../../bookings/calendly-uris.ts'
import type { CalendlyEvent } from '../formats.ts'
import type { News, Surroundings, Telling } from '../telling.ts'
import type { ToldChange } from '../webhook.ts'
import { submissionOf } from './form.ts'
import { inviteeOf } from './invitee.ts'
import { instantOf, resourceOf } from './resource.ts'

/** News as Calendly tells them. It knows no requests: those are told once they are approved. */
export function calendlyTellings(news: News, surroundings: Surroundings): readonly Telling[] {
  if ('form' in news) {
    const { form } = news
    const told = tellingsOf(form.scheduler.id, form.at, surroundings)
    return [told('routing_form_submission.created', submissionOf(form, surroundings))]
  }
  return 'change' in news ? ofChange(news.change, surroundings) : []
}

const tellingsOf =
  (ownerId: string, at: number, surroundings: Surroundings) =>
  (event: CalendlyEvent, payload: object): Telling => ({
    event,
    body: {
      event,
      created_at: instantOf(at),
      created_by: resourceOf(surroundings, 'users', ownerId),
      payload,
    },
  })

function ofChange(change: ToldChange, surroundings: Surroundings): readonly Telling[] {
  const told = tellingsOf(change.scheduler.id, change.at, surroundings)
  const wasRequest = change.previousStatus === 'PendingApproval'
  const isRequest = change.status === 'PendingApproval'
  const created = (more: object = {}) =>
    told('invitee.created', { ...inviteeOf(change, surroundings), ...more })
  switch (change.type) {
    case 'created':
    case 'approved':
      return isRequest ? [] : [created()]
    case 'cancelled':
      return wasRequest ? [] : [told('invitee.canceled', inviteeOf(change, surroundings))]
    case 'rescheduled': {
      const { canceled, oldUri } = leftBehind(change, surroundings)
      return [
        ...(wasRequest ? [] : [told('invitee.canceled', canceled)]),
        ...(isRequest ? [] : [created({ old_invitee: wasRequest ? null : oldUri })]),
      ]
    }
    case 'no_show':
      return [told('invitee_no_show.created', inviteeOf(change, surroundings))]
    default:
      return []
  }
}

/** The invitee of the time that a meeting was moved from: there, a moved meeting is cancelled and booked again. */
function leftBehind(change: ToldChange, surroundings: Surroundings) {
  const { bookingId: id, startsAt, endsAt, previousStartsAt } = change
  const before = previousStartsAt ?? startsAt
  const times = { startsAt: before, endsAt: before + endsAt - startsAt }
  const canceled = inviteeOf({ ...change, ...times, status: 'Cancelled' }, surroundings)
  const next = calendlyUris(surroundings.publicUrl, { id, startsAt })
  return { canceled: { ...canceled, rescheduled: true, new_invitee: next.invitee }, oldUri: canceled.uri }
}
