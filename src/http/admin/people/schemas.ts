import type { Static } from 'typebox'
import { CONFLICTS } from '../../../domain/bookings/reassignment.ts'
import { LANGUAGES } from '../../../domain/languages.ts'
import {
  ATTRIBUTE_TYPES,
  MAX_ATTRIBUTE_OPTIONS,
  MAX_ATTRIBUTE_TEXT,
  MAX_ATTRIBUTES,
} from '../../../domain/people/attributes.ts'
import { GERMAN_ADDRESSES, THEMES } from '../../../domain/people/scheduler.ts'
import { ROLES, SCOPES, TIME_FORMATS, WEEK_STARTS } from '../../../domain/people/user.ts'
import { nullable, oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'

const page = {
  slug: Type.String({ maxLength: 64 }),
  name: Type.String({ maxLength: 200 }),
  bio: Type.String({ maxLength: 5000 }),
  avatarUrl: Type.String({ maxLength: 2000 }),
  timezone: Type.String({ maxLength: 64 }),
  locale: oneOf(LANGUAGES),
  germanAddress: oneOf(GERMAN_ADDRESSES, 'How German speaks to guests, and to a user: Sie or du.'),
  theme: oneOf(THEMES),
  branding: Type.Object({ primaryColor: Type.String(), logoUrl: Type.String({ maxLength: 2000 }) }),
}

/** What users and teams set about their own page. */
export type PageView = Static<typeof PageView>
export const PageView = Type.Object(page)

export type ChangePage = Static<typeof ChangePage>
export const ChangePage = Type.Partial(Type.Object({ ...page, branding: Type.Partial(page.branding) }))

const preferences = {
  timeFormat: oneOf(TIME_FORMATS, 'Of the dashboard; auto: as the browser’s language has it.'),
  weekStart: oneOf(WEEK_STARTS, 'Of the dashboard; auto: as the browser’s language has it.'),
}

export type ChangeMe = Static<typeof ChangeMe>
export const ChangeMe = Type.Object({
  ...ChangePage.properties,
  ...Type.Partial(Type.Object(preferences)).properties,
})

export type MeView = Static<typeof MeView>
export const MeView = Type.Object({
  id: Type.String(),
  email: Type.String(),
  admin: Type.Boolean({ description: 'May invite others to this instance.' }),
  ...page,
  ...preferences,
  teams: Type.Array(
    Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String(), role: oneOf(ROLES) }),
  ),
})

export type TeamView = Static<typeof TeamView>
export const TeamView = Type.Object({
  id: Type.String(),
  role: oneOf(ROLES, 'Yours.'),
  ...page,
  membersSeeAll: Type.Boolean({
    description:
      'Whether members see all bookings and responses of the team. If false, they see the bookings that they host. Admins and owners see everything.',
  }),
})

export type ChangeTeam = Static<typeof ChangeTeam>
export const ChangeTeam = Type.Object({
  ...ChangePage.properties,
  membersSeeAll: Type.Optional(TeamView.properties.membersSeeAll),
})

export type CreateTeam = Static<typeof CreateTeam>
export const CreateTeam = Type.Object({ ...ChangeTeam.properties, slug: page.slug, name: page.name })

const AttributeText = Type.String({ maxLength: MAX_ATTRIBUTE_TEXT })

const AttributeValue = Type.Union([
  AttributeText,
  Type.Array(AttributeText, { maxItems: MAX_ATTRIBUTE_OPTIONS }),
])

export type AttributeView = Static<typeof AttributeView>
export const AttributeView = Type.Object({
  key: Type.String({ maxLength: 64, description: 'Letters, digits, _ and -; unique in the team.' }),
  label: Type.String({ maxLength: 200 }),
  type: oneOf(ATTRIBUTE_TYPES, 'text: free text; one, many: one or several of the options.'),
  options: Type.Array(AttributeText, {
    maxItems: MAX_ATTRIBUTE_OPTIONS,
    description: 'Empty for text.',
  }),
})

export const AttributesView = Type.Array(AttributeView)

export type GivenAttributes = Static<typeof GivenAttributes>
export const GivenAttributes = Type.Array(
  Type.Object({
    ...AttributeView.properties,
    options: Type.Optional(AttributeView.properties.options),
  }),
  { maxItems: MAX_ATTRIBUTES },
)

export type AttributeImportView = Static<typeof AttributeImportView>
export const AttributeImportView = Type.Object({
  saved: Type.Boolean({ description: 'False for a dry run.' }),
  rows: Type.Array(
    Type.Object({
      row: Type.Integer({ description: 'As a spreadsheet counts: the first row has the columns’ names.' }),
      email: Type.String(),
      userId: nullable(Type.String()),
      name: nullable(Type.String()),
      changes: Type.Array(
        Type.Object({
          key: Type.String(),
          before: nullable(AttributeValue, 'Null: not set.'),
          after: nullable(AttributeValue, 'Null: not set.'),
        }),
      ),
      problem: nullable(Type.String(), 'Why the row cannot be imported.'),
    }),
  ),
})

export type MemberView = Static<typeof MemberView>
export const MemberView = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: oneOf(ROLES),
  joinedAt: Type.String(),
  hoursConfirmed: Type.Boolean({ description: 'Whether their default hours can be booked.' }),
  attributes: Type.Record(Type.String(), AttributeValue, {
    description:
      'What is set of the team’s attributes, by key: a list for those of type many, otherwise text.',
  }),
})

export type ChangeMember = Static<typeof ChangeMember>
export const ChangeMember = Type.Partial(
  Type.Object({
    role: oneOf(ROLES),
    attributes: Type.Record(Type.String(), nullable(AttributeValue), {
      maxProperties: MAX_ATTRIBUTES,
      description: 'By key. What is left out stays as it is; null clears.',
    }),
  }),
  { minProperties: 1 },
)

export type InstanceInvitationView = Static<typeof InstanceInvitationView>
export const InstanceInvitationView = Type.Object({
  id: Type.String(),
  email: Type.String(),
  createdAt: Type.String(),
  expiresAt: Type.String(),
})

export type InvitationView = Static<typeof InvitationView>
export const InvitationView = Type.Object({ ...InstanceInvitationView.properties, role: oneOf(ROLES) })

/** An invitation, as the invited person sees it. */
export type MyInvitationView = Static<typeof MyInvitationView>
export const MyInvitationView = Type.Object({
  id: Type.String(),
  role: oneOf(ROLES),
  team: Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() }),
  createdAt: Type.String(),
  expiresAt: Type.String(),
})

const email = Type.String({ maxLength: 254 })

export type InviteToInstance = Static<typeof InviteToInstance>
export const InviteToInstance = Type.Object({ email })

export type InviteToTeam = Static<typeof InviteToTeam>
export const InviteToTeam = Type.Object({ email, role: Type.Optional(oneOf(ROLES)) })

const Scopes = Type.Array(oneOf(SCOPES), {
  minItems: 1,
  maxItems: 2,
  description: 'write includes read.',
})

export type ChangeEmail = Static<typeof ChangeEmail>
export const ChangeEmail = Type.Object({ email: Type.String({ maxLength: 254 }) })

export const ConfirmEmail = Type.Object({
  token: Type.String({ maxLength: 200, description: 'From the link that was mailed to the new address.' }),
})

export const Sent = Type.Object({ message: Type.String() })

const INSTANCE_ROLES = ['admin', 'member'] as const

export type PersonView = Static<typeof PersonView>
export const PersonView = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: oneOf(INSTANCE_ROLES, 'admin: runs this instance.'),
  disabled: Type.Boolean({ description: 'Can’t sign in, and has no page.' }),
  createdAt: Type.String(),
  teams: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), role: oneOf(ROLES) })),
  sessions: Type.Integer({ description: 'In how many browsers they are signed in.' }),
  tokens: Type.Integer({ description: 'How many API tokens they have.' }),
  singleSignOn: Type.Boolean({ description: 'Whether they have signed in at the identity provider.' }),
  passkeys: Type.Integer({ description: 'How many passkeys they have.' }),
})

export type ChangePerson = Static<typeof ChangePerson>
export const ChangePerson = Type.Object({
  role: Type.Optional(oneOf(INSTANCE_ROLES)),
  disabled: Type.Optional(Type.Boolean()),
})

export type PasskeyView = Static<typeof PasskeyView>
export const PasskeyView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: Type.String(),
  lastUsedAt: nullable(Type.String()),
})

export type PasskeysView = Static<typeof PasskeysView>
export const PasskeysView = Type.Object({
  items: Type.Array(PasskeyView),
  recoveryCodes: Type.Integer({ description: 'How many are left.' }),
  required: Type.Boolean({ description: 'Whether this service requires a passkey, so that one must stay.' }),
  signInAgain: Type.Boolean({
    description: 'Whether you must sign in again before you can add or remove a passkey.',
  }),
})

const PublicKey = Type.Literal('public-key')

export type PasskeyCreationView = Static<typeof PasskeyCreationView>
/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const PasskeyCreationView = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: PublicKey, alg: Type.Integer() })),
  timeout: Type.Integer({ description: 'Milliseconds.' }),
  attestation: Type.Literal('none'),
  excludeCredentials: Type.Array(
    Type.Object({ id: Type.String(), type: PublicKey, transports: Type.Array(Type.String()) }),
  ),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('preferred'),
    userVerification: Type.Literal('preferred'),
  }),
})

export type AddPasskey = Static<typeof AddPasskey>
export const AddPasskey = Type.Object(
  {
    name: Type.String({ maxLength: 100 }),
    credentialId: Type.String({ maxLength: 2000 }),
    clientDataJSON: Type.String({ maxLength: 10_000 }),
    attestationObject: Type.String({ maxLength: 40_000 }),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 })),
  },
  { description: 'What `navigator.credentials.create` returned. Bytes are in base64url.' },
)

export type RecoveryCodesView = Static<typeof RecoveryCodesView>
export const RecoveryCodesView = Type.Object({
  recoveryCodes: Type.Array(Type.String(), { description: 'Each works once. They are not shown again.' }),
})

export type AddedPasskeyView = Static<typeof AddedPasskeyView>
export const AddedPasskeyView = Type.Object({
  ...PasskeyView.properties,
  recoveryCodes: Type.Array(Type.String(), {
    description: 'With the first passkey alone. Each works once. They are not shown again.',
  }),
})

export type ChangePasskey = Static<typeof ChangePasskey>
export const ChangePasskey = Type.Object({ name: Type.String({ maxLength: 100 }) })

export type DepartureView = Static<typeof DepartureView>
export const DepartureView = Type.Object({
  meetings: Type.Integer({ description: 'Upcoming meetings that they host, requests included.' }),
  eventTypes: Type.Integer({ description: 'Of their own, not of teams.' }),
  forms: Type.Integer(),
  teams: Type.Integer(),
  collisions: Type.Array(
    Type.Object({
      startTime: Type.String(),
      endTime: Type.String(),
      inviteeName: Type.String(),
      conflict: oneOf(CONFLICTS, 'What the other person has at that time.'),
    }),
    { description: 'Meetings that the other person can’t take, earliest first.' },
  ),
})

export type DepartedView = Static<typeof DepartedView>
export const DepartedView = Type.Object({
  moved: Type.Integer({ description: 'Meetings that went to the other person.' }),
  cancelled: Type.Integer({ description: 'Meetings that are cancelled.' }),
})

export type TokenView = Static<typeof TokenView>
export const TokenView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scopes: Scopes,
  createdAt: Type.String(),
  expiresAt: nullable(Type.String()),
  made: Type.Object(
    {
      webhooks: Type.Array(Type.Object({ id: Type.String(), ownerId: Type.String(), url: Type.String() })),
      calendars: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
      feed: Type.Boolean({ description: 'Whether it made the present link to the feed of your bookings.' }),
    },
    { description: 'What it made that goes on working when it is revoked.' },
  ),
})

export type NewTokenView = Static<typeof NewTokenView>
export const NewTokenView = Type.Object({
  ...Type.Omit(TokenView, ['made']).properties,
  token: Type.String({ description: 'A bearer token. Shown only once, and stored nowhere.' }),
})

export type CreateToken = Static<typeof CreateToken>
export const CreateToken = Type.Object({
  name: Type.String({ maxLength: 100 }),
  scopes: Scopes,
  expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
})

export type SessionsView = Static<typeof SessionsView>
export const SessionsView = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      createdAt: Type.String({ description: 'ISO 8601, UTC.' }),
      lastUsedAt: Type.String({ description: 'To the hour: when the session was last renewed.' }),
      browser: Type.String({ description: 'Such as Firefox; empty: unknown.' }),
      system: Type.String({ description: 'Such as Windows; empty: unknown.' }),
      current: Type.Boolean({ description: 'Whether this request carries it.' }),
    }),
  ),
})

export type AuditView = Static<typeof AuditView>
export const AuditView = Type.Object({
  id: Type.String(),
  at: Type.String({ description: 'ISO 8601, UTC.' }),
  actor: Type.String({ description: 'An email address, or the part of the service that acted.' }),
  token: Type.String({ description: 'The name of the API token that they used; empty: none.' }),
  action: Type.String(),
  objectType: Type.String(),
  objectId: Type.String(),
  object: nullable(
    Type.Object({ name: Type.String(), url: Type.String({ description: 'Its page in the dashboard.' }) }),
    'What it is now; null: it is gone, or has no name.',
  ),
  ownerId: Type.String({ description: 'The user or team that owns the object.' }),
  changes: Type.Array(Type.String(), {
    description: 'Names of the fields that changed, never their values.',
  }),
  fields: Type.Array(Type.String(), { description: 'The same in words, in the language of the request.' }),
})
