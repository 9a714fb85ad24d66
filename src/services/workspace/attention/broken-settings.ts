import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Lack, lacksKeys, lacksOf } from '../../../domain/event-types/lacks.ts'
import { type Sentence, sentence } from '../../../domain/sentence.ts'
import { findOfferedEventTypes, findProtectedForms } from '../../../store/workspace/attention.ts'
import { hasCaptchaKeys } from '../../check-captcha.ts'
import type { Context } from '../../context.ts'
import { type AttentionItem, type Audience, scopeOf } from './audience.ts'

const PAGE = 1000

type Offered = Awaited<ReturnType<typeof findOfferedEventTypes>>[number]

/** Event types and forms that guests can't use as their owners mean them. Hidden ones were put away. */
export async function brokenSettings(context: Context, audience: Audience): Promise<AttentionItem[]> {
  const { db } = context
  const hasKeys = hasCaptchaKeys(context)
  const eventTypes = await findAllOffered(context, audience)
  const unbookable = await context.slots.findUnbookableSoon(eventTypes)
  const forms = await findProtectedForms(db, audience.owners)
  return [
    ...eventTypes.flatMap((eventType) =>
      lacksOf(eventType, hasKeys).map((lack) => about(audience, eventType, lack, SAID[lack](eventType.name))),
    ),
    ...forms
      .filter(({ abuse }) => lacksKeys(abuse, hasKeys))
      .map(({ id, schedulerId, name }) => ({
        kind: 'captcha-without-keys' as const,
        scope: scopeOf(audience, schedulerId),
        sentence: SAID['captcha-without-keys'](name),
        url: `/app/forms/${id}`,
        since: null,
      })),
    ...eventTypes
      .filter(({ id }) => unbookable.has(id))
      .map((eventType) => {
        const says = sentence`Nobody can book “${eventType.name}” in the next ${30} days.`
        return about(audience, eventType, 'nothing-bookable', says)
      }),
  ]
}

const SAID: Readonly<Record<Lack, (name: string) => Sentence>> = {
  'video-without-link': (name) => sentence`“${name}” is a video call without a link.`,
  'captcha-without-keys': (name) =>
    sentence`The CAPTCHA of “${name}” has no keys here, so guests can’t get past it.`,
}

const about = (
  audience: Audience,
  { id, schedulerId }: Offered,
  kind: AttentionItem['kind'],
  says: Sentence,
): AttentionItem => ({
  kind,
  scope: scopeOf(audience, schedulerId),
  sentence: says,
  url: `/app/event-types/${id}`,
  since: null,
})

async function findAllOffered({ db }: Context, { owners }: Audience): Promise<Offered[]> {
  const all: Offered[] = []
  for (let page: Offered[] | undefined; page === undefined || page.length === PAGE; ) {
    page = await findOfferedEventTypes(db, owners, all.at(-1)?.id, PAGE)
    all.push(...page)
    await nextTurn()
  }
  return all
}
