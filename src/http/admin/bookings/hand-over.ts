import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { Type } from '../../../format/type.ts'
import { handOver } from '../../../services/bookings/host/hand-over.ts'
import { answerIn } from '../../language.ts'
import { problems } from '../../problems.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import type { HostMailOptions } from './host-mail-options.ts'
import { SuccessorChoice } from './schemas.ts'

const MemberPath = Type.Object({ ...IdPath.properties, userId: Type.String() })

export type HandOverMeetings = Static<typeof HandOverMeetings>
export const HandOverMeetings = Type.Object({
  ...SuccessorChoice,
  from: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Only meetings that end after this UTC instant; now without it.',
    }),
  ),
  to: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only meetings that start before this UTC instant.' }),
  ),
  reason: Type.Optional(
    Type.String({ maxLength: 1000, description: 'Included in the emails to guests and hosts.' }),
  ),
})

const meeting = {
  bookingId: Type.String(),
  eventTypeId: Type.String(),
  startTime: Type.String({ description: 'ISO 8601, UTC.' }),
  inviteeName: Type.String(),
}

export type HandedOverView = Static<typeof HandedOverView>
export const HandedOverView = Type.Object({
  moved: Type.Array(Type.Object({ ...meeting, hostId: Type.String({ description: 'The new host.' }) })),
  failed: Type.Array(Type.Object({ ...meeting, reason: Type.String({ description: 'A sentence.' }) })),
  more: Type.Boolean({ description: 'There were more than 500: ask again.' }),
})

/** Hands over what a member hosts. */
export const handOverRoutes: FastifyPluginAsyncTypebox<HostMailOptions> = async (
  app,
  { context, mailLimits },
) => {
  app.post(
    '/teams/:id/members/:userId/hand-over',
    {
      schema: {
        operationId: 'handOverMeetings',
        summary: 'Hand over the upcoming meetings of a member',
        description:
          'For admins of the team, and for the member. Gives all upcoming meetings of the team that they host, or those between `from` and `to`, to another host, as `reassign` does. Each meeting on its own: what nobody can take stays, and `failed` says why. Meetings of one series go to one host if one can take them all.',
        tags: ['Teams'],
        params: MemberPath,
        body: HandOverMeetings,
        response: { 200: HandedOverView, ...problems(400, 401, 403, 404, 429, 503) },
      },
    },
    async (request) => {
      const { id, userId } = request.params
      const given = pick(request.body, HandOverMeetings)
      const who = { teamId: id, userId, mailLimits }
      const found = await handOver(context, principalOf(request), who, given)
      return {
        moved: found.moved.map((one) => ({ ...toMeeting(one), hostId: one.hostId })),
        failed: found.failed.map(({ booking, reason }) => ({
          ...toMeeting(booking),
          reason: answerIn(request, reason).text,
        })),
        more: found.more,
      }
    },
  )
}

const toMeeting = ({ booking }: ListedBooking) => ({
  bookingId: booking.id,
  eventTypeId: booking.eventTypeId,
  startTime: formatInstant(booking.startsAt),
  inviteeName: booking.invitee.name,
})
