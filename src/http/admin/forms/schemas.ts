import type { Static } from 'typebox'
import { CAPTCHA_PROVIDERS } from '../../../domain/event-types/event-type.ts'
import type { HostFilter } from '../../../domain/forms/host-filter.ts'
import { OWNER_MATCHES } from '../../../domain/forms/owner.ts'
import { ACTIONS, type Condition, FIELD_TYPES, OPERATORS } from '../../../domain/forms/routing.ts'
import { WARNING_KINDS } from '../../../domain/forms/warnings.ts'
import { nullable, oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'

const OwnerRule = Type.Object(
  {
    days: Type.Integer({ description: 'How long ago that meeting may have started, 1 to 3650.' }),
    by: oneOf(
      OWNER_MATCHES,
      '`email`: the guest’s own meetings; `domain`: also those of others at the same domain, unless anyone can get an address there, such as gmail.com.',
    ),
  },
  {
    description:
      'With routeToEvent, for a round robin: sends a guest back to the host whom they met last, if that host has a start within 60 days. The address is the answer to the first email field. Comes before every other choice of hosts.',
  },
)

const OwnerLookupUrl = Type.String({
  maxLength: 2000,
  description:
    'With routeToEvent of a round robin: where to ask for the host of a visitor, after `owner` and before `hosts`. It gets `POST { email, answers }`, signed like a webhook with the form’s own secret, and answers `{ hostEmail }` within 2 seconds. If it fails, or names someone who is not offered, the visitor is routed as without it.',
})

/** Where a visitor is sent; what does not apply to the action is null. */
export type TargetView = Static<typeof TargetView>
export const TargetView = Type.Object({
  action: oneOf(ACTIONS),
  eventTypeId: nullable(Type.String({ description: 'With routeToEvent: one of the owner’s event types.' })),
  redirectUrl: nullable(Type.String({ description: 'With redirect: an https address.' })),
  message: nullable(Type.String({ description: 'With message: what the visitor reads.' })),
})

// The domain checks its shape, because it can say more precisely what is wrong.
const Hosts = Type.Unsafe<HostFilter>({
  type: 'object',
  additionalProperties: true,
  description:
    'With routeToEvent of a round robin: which of its hosts, by the team’s attributes. A comparison is `{ "attribute": key }` with one of `is`, `isNot`, `isAnyOf` (a list) and `contains`; an attribute of type many has `contains` and `isAnyOf` only. A value is text, or `{ "answerOf": field id }`: the visitor’s answer, of a select the id of the option. `{ "all": [ … ] }` and `{ "any": [ … ] }` combine comparisons, at most 8 deep. Text compares trimmed and without case; an attribute that is not set satisfies `isNot`. If none of these hosts has a free time within 60 days, all hosts are offered, and if none of those has, the fallback.',
  examples: [
    {
      all: [
        { attribute: 'region', is: { answerOf: 'region' } },
        { attribute: 'languages', contains: 'de' },
      ],
    },
  ],
})

/** A target that may choose among the hosts of its event type. */
export type HostedTargetView = Static<typeof HostedTargetView>
export const HostedTargetView = Type.Object({
  ...TargetView.properties,
  owner: Type.Optional(OwnerRule),
  ownerLookupUrl: Type.Optional(OwnerLookupUrl),
  hosts: Type.Optional(Hosts),
})

export type GivenTarget = Static<typeof GivenTarget>
export const GivenTarget = Type.Object({
  action: oneOf(ACTIONS),
  eventTypeId: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
  redirectUrl: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
  message: Type.Optional(nullable(Type.String({ maxLength: 5000 }))),
})

const GivenHostedTarget = Type.Object({
  ...GivenTarget.properties,
  owner: Type.Optional(nullable(OwnerRule)),
  ownerLookupUrl: Type.Optional(nullable(OwnerLookupUrl)),
  hosts: Type.Optional(nullable(Hosts)),
})

// The domain checks its shape, because it can say more precisely what is wrong.
const When = Type.Unsafe<Condition>({
  type: 'object',
  additionalProperties: true,
  description: `A tree, at most 8 deep. A comparison is \`{ "field": id, "operator": one of ${OPERATORS.join(', ')}, "value": text }\`; the value of isAnyOf and isOnlyOf is a list, isEmpty and isNotEmpty have none, and a select or multiselect is compared by the ids of its options. A number field has equals, notEquals, lessThan, atMost, greaterThan and atLeast, with a number as value; a multiselect has contains, notContains, isAnyOf (at least one is chosen) and isOnlyOf (nothing else is). \`{ "all": [ … ] }\` matches when every condition in it does, \`{ "any": [ … ] }\` when one does. Text compares trimmed and without case.`,
  examples: [
    {
      all: [
        { field: 'reason', operator: 'isAnyOf', value: ['sales', 'support'] },
        { field: 'email', operator: 'endsWith', value: '@example.com' },
      ],
    },
  ],
})

const FieldOption = Type.Object({
  id: Type.String({ maxLength: 64, description: 'The answer: letters, digits, _ and -.' }),
  label: Type.String({ maxLength: 500 }),
})
const field = {
  id: Type.String({ maxLength: 64, description: 'The key of the answer: letters, digits, _ and -.' }),
  label: Type.String({ maxLength: 500 }),
  type: oneOf(FIELD_TYPES),
}
const abuse = {
  honeypot: Type.Boolean(),
  captcha: oneOf([...CAPTCHA_PROVIDERS, '']),
  blocklist: Type.Array(Type.String({ maxLength: 254 }), {
    maxItems: 1000,
    description: 'Addresses and domains whose answers are not accepted, beside the owner’s own blocklist.',
  }),
}
const details = {
  name: Type.String({ maxLength: 200 }),
  slug: Type.String({ maxLength: 64 }),
  description: nullable(Type.String({ maxLength: 5000 })),
}

const Answer = Type.String({ maxLength: 5000 })
const TestAnswers = Type.Record(Type.String(), Type.Union([Answer, Type.Array(Answer, { maxItems: 200 })]), {
  maxProperties: 200,
  description: 'Answers by field id, as a visitor would send them.',
})

const Warnings = Type.Array(
  Type.Object({
    rule: Type.Integer({ description: 'The index of the rule, from 0.' }),
    kind: oneOf(
      WARNING_KINDS,
      'never: no answers match the rule; shadowed: rules before it match whenever it does.',
    ),
    by: Type.Array(Type.Integer(), { description: 'The rules that shadow it together.' }),
    sentence: Type.String({ description: 'The same in a sentence.' }),
  }),
  {
    description:
      'Rules that never decide. Exact for selects; for text there may be more such rules. Very large forms may not be checked to the end.',
  },
)

const KeepDays = nullable(
  Type.Integer({
    description:
      'Whole days until the answers of a response are erased: the response stays for the counts. Null: never.',
  }),
)

export type FormView = Static<typeof FormView>
export const FormView = Type.Object({
  id: Type.String(),
  ownerId: Type.String(),
  ...details,
  fields: Type.Array(Type.Object({ ...field, required: Type.Boolean(), options: Type.Array(FieldOption) })),
  rules: Type.Array(Type.Object({ when: When, target: HostedTargetView }), {
    description: 'The first rule that matches decides.',
  }),
  fallback: HostedTargetView,
  abuse: Type.Object(abuse, { description: 'Spam protection.' }),
  keepPersonalDataDays: KeepDays,
  tests: Type.Array(Type.Object({ name: Type.String(), answers: TestAnswers, expect: TargetView }), {
    description: 'Where certain answers must lead. A form whose tests fail is not saved.',
  }),
  warnings: Warnings,
  lookupSecret: Type.Optional(
    Type.String({
      description:
        'Only in the answer to the change that first set an `ownerLookupUrl`: what signs its requests. It is not shown again; `rotate-lookup-secret` makes another.',
    }),
  ),
})

export type ChangeForm = Static<typeof ChangeForm>
export const ChangeForm = Type.Partial(
  Type.Object({
    ...details,
    fields: Type.Array(
      Type.Object({
        ...field,
        required: Type.Optional(Type.Boolean()),
        options: Type.Optional(Type.Array(FieldOption, { maxItems: 200, description: 'For a select only.' })),
      }),
      { maxItems: 100 },
    ),
    rules: Type.Array(Type.Object({ when: When, target: GivenHostedTarget }), { maxItems: 200 }),
    fallback: GivenHostedTarget,
    abuse: Type.Object(abuse, { description: 'Spam protection, as a whole.' }),
    keepPersonalDataDays: KeepDays,
    tests: Type.Array(
      Type.Object({ name: Type.String({ maxLength: 200 }), answers: TestAnswers, expect: GivenTarget }),
      {
        maxItems: 100,
        description:
          'Where certain answers must lead. If one fails, nothing is saved, and the error names it.',
      },
    ),
  }),
)

export type CreateForm = Static<typeof CreateForm>
export const CreateForm = Type.Object({
  ...ChangeForm.properties,
  name: details.name,
  slug: details.slug,
  fallback: GivenHostedTarget,
  teamId: Type.Optional(Type.String({ description: 'The team that owns it; you without it.' })),
})

export type FormResponseView = Static<typeof FormResponseView>
export const FormResponseView = Type.Object({
  id: Type.String(),
  answers: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'By field id, as they were sent, including answers that the form did not ask for.',
  }),
  result: TargetView,
  bookingId: nullable(
    Type.String(),
    'What was booked with it; null: nothing yet. It stays if that is cancelled.',
  ),
  createdAt: Type.String(),
})

export type TryForm = Static<typeof TryForm>
export const TryForm = Type.Object({ answers: TestAnswers })

export type TriedFormView = Static<typeof TriedFormView>
export const TriedFormView = Type.Object({
  result: TargetView,
  rule: nullable(Type.Integer(), 'The index of the rule that decided, from 0; null: the fallback.'),
  problem: nullable(Type.String(), 'Why a visitor could not send these answers.'),
  hosts: nullable(
    Type.Object({
      leadsTo: oneOf(
        ['owner', 'filtered', 'all', 'nobody'],
        'The host who met this visitor; hosts who pass; all hosts, since none of those has a free time; nobody, so the fallback is the result.',
      ),
      reason: Type.String({ description: 'In a sentence.' }),
      hosts: Type.Array(
        Type.Object({
          userId: Type.String(),
          name: Type.String(),
          passed: Type.Boolean(),
          reason: Type.String({ description: 'Why they do not pass.' }),
        }),
      ),
    }),
    'How the target of the rule that matched chose among its hosts; null: it makes no choice. `ownerLookupUrl` is not asked.',
  ),
  rules: Type.Array(
    Type.Object({
      matched: Type.Boolean(),
      failed: nullable(
        Type.Object({
          path: Type.String({ description: 'Where the condition stands in the rule: `when.all.0`.' }),
          condition: When,
        }),
        'The first condition that did not match.',
      ),
      reason: Type.String({ description: 'The same in a sentence.' }),
    }),
    { description: 'What became of each rule of the form, in order.' },
  ),
  warnings: Warnings,
})

export type FunnelQuery = Static<typeof FunnelQuery>
export const FunnelQuery = Type.Object({
  from: Type.Optional(
    Type.String({ maxLength: 10, description: 'A date; 30 days before the last by default.' }),
  ),
  to: Type.Optional(
    Type.String({ maxLength: 10, description: 'A date, included; today by default. At most 366 days.' }),
  ),
})

export type FunnelView = Static<typeof FunnelView>
export const FunnelView = Type.Object({
  from: Type.String(),
  to: Type.String(),
  timezone: Type.String({ description: 'Of the form’s owner: dates are in this time zone.' }),
  opened: Type.Integer({
    description: 'How often the form was opened: its page, or its address in the public API.',
  }),
  answered: Type.Integer({ description: 'Responses.' }),
  routed: Type.Integer({ description: 'Responses that led to an event type.' }),
  booked: Type.Integer({
    description: 'Responses with which a meeting was booked, cancelled ones included.',
  }),
  met: Type.Integer({ description: 'Responses whose meeting has taken place.' }),
  dropOff: Type.Array(
    Type.Object({
      fieldId: nullable(Type.String(), 'The furthest question they came to; null: they had not begun.'),
      count: Type.Integer(),
    }),
    { description: 'Visitors who left without answering, in the order of the questions.' },
  ),
})

export type LookupSecretView = Static<typeof LookupSecretView>
export const LookupSecretView = Type.Object({
  lookupSecret: Type.String({ description: 'Begins with `whsec_`. It is not shown again.' }),
})
