import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { type BookableEventType, openedBy } from '../../../domain/bookings/bookable.ts'
import { invalidField } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { Type } from '../../../format/type.ts'
import {
  emailCodeLimits,
  requireConfirmEmail,
  sendEmailCode,
} from '../../../services/bookings/guest/verify-email.ts'
import type { Context } from '../../../services/context.ts'
import { getProfile } from '../../../services/people/get-profile.ts'
import { clientAddress } from '../../gate.ts'
import type { BookingCounter } from '../../public/scheduling.ts'
import { success } from './envelope.ts'
import { bodyOf, findBookable } from './request.ts'

const Line = Type.String({ maxLength: 500 })

const SendCode = Type.Object({
  email: Type.String({ maxLength: 254 }),
  username: Type.Optional(Line),
  language: Type.Optional(Line),
  // Not theirs.
  eventTypeId: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })),
  eventTypeSlug: Type.Optional(Line),
  teamSlug: Type.Optional(Line),
  captchaToken: Type.Optional(Type.String({ maxLength: 8192 })),
})

interface CodeOptions {
  readonly context: Context
  readonly counted: BookingCounter
}

/** Codes that prove a guest's address, which are then the `emailVerificationCode` of a booking. */
export function addEmailCodeRoutes(app: FastifyInstance, { context, counted }: CodeOptions): void {
  const limits = emailCodeLimits(context)
  app.post('/bookings/verification/email/send-code', async (request, reply) => {
    const body = bodyOf(request, SendCode)
    const opening = findAsking(context, body).then((found) => ({ bookable: openedBy(found, {}), access: {} }))
    const { bookable } = await counted(request, reply, opening)
    requireConfirmEmail(bookable)
    const { email, language, captchaToken } = body
    const given = {
      email,
      clientAddress: clientAddress(request),
      ...(language !== undefined && { locale: language }),
      ...(captchaToken !== undefined && { captchaToken }),
    }
    await sendEmailCode(context, bookable, given, limits)
    return success({ sent: true })
  })
}

/** There, a code is for any event type. Here it is for one, which has to be named unless only one asks for codes. */
async function findAsking(context: Context, body: Static<typeof SendCode>): Promise<BookableEventType> {
  const { eventTypeId, eventTypeSlug, username } = body
  if (eventTypeId !== undefined || eventTypeSlug !== undefined) return findBookable(context, body)
  const owner = username === undefined ? undefined : await getProfile(context, username.toLowerCase())
  const [asking, ...others] = owner?.eventTypes.filter(({ confirmEmail }) => confirmEmail) ?? []
  if (asking !== undefined && others.length === 0) return context.slots.getOne(asking.id)
  throw invalidField('eventTypeId', sentence`A code is for one event type: {field} must name it.`)
}
