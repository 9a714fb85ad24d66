import type { Static } from 'typebox'
import { TENTATIVE } from '../../../domain/calendars/calendar.ts'
import { nameIn, nullable, oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'

const fields = {
  name: Type.String({ maxLength: 200, description: 'Only you see it.' }),
  url: Type.String({
    maxLength: 2000,
    description:
      'Of the feed, or of one calendar on a server as `discover` finds it. Empty for one of a connected account.',
  }),
  username: Type.String({ maxLength: 200 }),
  busy: Type.Boolean({ description: 'Its events block your availability. True by default.' }),
  tentative: oneOf(
    TENTATIVE,
    'Whether its tentative events block your availability, too: those that are not certain, or that you answered “maybe”. busy by default.',
  ),
  writeTo: Type.Boolean({
    description: 'Confirmed bookings are added to it. Not for feeds, and one calendar at most.',
  }),
}
const password = Type.String({ maxLength: 1000, description: 'Kept encrypted, and never shown again.' })
const kind = nameIn('calendars')

export type CalendarView = Static<typeof CalendarView>
export const CalendarView = Type.Object({
  id: Type.String(),
  kind,
  connectionId: nullable(Type.String(), 'The account that it is read through.'),
  externalId: Type.String({ description: 'The id that the provider gave it; empty without an account.' }),
  ...fields,
  writable: Type.Boolean({ description: 'Whether bookings can be added to it.' }),
  hasPassword: Type.Boolean(),
  busyTimes: Type.Integer({ description: 'How many busy spans it has; overlapping events are one.' }),
  refreshedAt: nullable(Type.String(), 'When it was last read.'),
  nextRefreshAt: Type.String(),
  failures: Type.Integer({ description: 'Failed attempts in a row.' }),
  lastError: Type.String({ description: 'Why the last attempt failed; empty when it did not.' }),
  skippedEvents: Type.Integer({ description: 'Events that could not be read.' }),
})

export type ChangeCalendar = Static<typeof ChangeCalendar>
export const ChangeCalendar = Type.Partial(Type.Object({ ...fields, password }))

export type CreateCalendar = Static<typeof CreateCalendar>
export const CreateCalendar = Type.Object({
  ...ChangeCalendar.properties,
  kind,
  name: Type.Optional(
    Type.String({
      ...fields.name,
      description:
        'Only you see it. Required for a calendar at an address; otherwise the name at the provider.',
    }),
  ),
  url: Type.Optional(
    Type.String({
      ...fields.url,
      description:
        'Of the feed, or of one calendar on a server as `discover` finds it. Required for these two.',
    }),
  ),
  connectionId: Type.Optional(
    Type.String({ description: 'Of your connected account. Required for its calendars.' }),
  ),
  externalId: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'As `GET /connections/{id}/calendars` lists it. Required for those of an account.',
    }),
  ),
})

export type DiscoverCalendars = Static<typeof DiscoverCalendars>
export const DiscoverCalendars = Type.Object({
  kind: Type.Optional(nameIn('calendars', [], 'The kind of server; the first that there is if left out.')),
  url: Type.String({ maxLength: 2000, description: 'Of the server, or of anything in the account.' }),
  username: fields.username,
  password: Type.String({ maxLength: 1000 }),
})

export type FoundCalendarsView = Static<typeof FoundCalendarsView>
export const FoundCalendarsView = Type.Object({
  calendars: Type.Array(
    Type.Object({
      url: Type.String(),
      name: Type.String(),
      writable: Type.Boolean({ description: 'Whether bookings can be added to it.' }),
    }),
  ),
})

export type FeedStateView = Static<typeof FeedStateView>
export const FeedStateView = Type.Object({
  active: Type.Boolean({ description: 'Whether there is a link to the feed, which can be revoked.' }),
})

export type FeedView = Static<typeof FeedView>
export const FeedView = Type.Object({
  url: Type.String({ description: 'For your calendar program. Shown only once; keep it secret.' }),
})

const provider = nameIn('accounts')
/** Those at which accounts are connected with a key, too. */
const anyProvider = nameIn('accounts', ['stripe'])

export type ProvidersView = Static<typeof ProvidersView>
export const ProvidersView = Type.Object({
  providers: Type.Array(provider, { description: 'Those at which this service has a client.' }),
  meetingLinks: Type.Array(nameIn('links'), {
    description:
      'The services that can make meeting links; `GET /connections/kinds` says which need an account.',
  }),
})

export type KindsView = Static<typeof KindsView>
export const KindsView = Type.Object({
  kinds: Type.Array(
    Type.Object({
      name: Type.String(),
      title: Type.String({ description: 'What people call it.' }),
      calendars: oneOf(
        ['link', 'server', 'account', ''],
        'How its calendars are connected: by a secret link, at a server, or with an account; empty without any.',
      ),
      live: Type.Boolean({ description: 'Whether its calendars can be asked at the moment of booking.' }),
      account: Type.Boolean({ description: 'Whether you connect an account there.' }),
      asksPermissions: Type.Boolean({
        description: 'Whether it asks you for permissions when you connect an account.',
      }),
      link: nullable(
        Type.Object({
          name: nameIn('links'),
          title: Type.String(),
          withEvent: Type.Boolean({ description: 'It comes with the event in a calendar of this kind.' }),
        }),
        'The meeting links that it makes; null: none.',
      ),
    }),
  ),
})

export type CreateConnection = Static<typeof CreateConnection>
export const CreateConnection = Type.Object({
  provider: anyProvider,
  secretKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'stripe: a secret or restricted key. Kept encrypted, and never shown again.',
    }),
  ),
  teamId: Type.Optional(
    Type.String({ description: 'stripe: the team whose meetings are paid through it; yours if left out.' }),
  ),
})

export type BegunConnectionView = Static<typeof BegunConnectionView>
export const BegunConnectionView = Type.Object({
  authorizationUrl: Type.String({
    description: 'Open it in the browser that made this request, within 10 minutes. It works once.',
  }),
})

export type PaymentAccountView = Static<typeof PaymentAccountView>
export const PaymentAccountView = Type.Object({
  id: Type.String(),
  provider: oneOf(['stripe']),
  account: Type.String({ description: 'What the provider calls it.' }),
  status: oneOf(['ok', 'reconnect']),
})

export type ConnectionView = Static<typeof ConnectionView>
export const ConnectionView = Type.Object({
  id: Type.String(),
  provider: anyProvider,
  account: Type.String({ description: 'Its email address, or what the provider calls it.' }),
  status: oneOf(
    ['ok', 'reconnect'],
    'reconnect: the provider has ended our access. Connect the account again.',
  ),
  lastError: Type.String({ description: 'Why access could not be renewed; empty when it could.' }),
  name: Type.Optional(Type.String({ description: 'stripe: what people call the account.' })),
  teamId: Type.Optional(
    nullable(Type.String(), 'stripe: the team whose meetings are paid through it; null: yours.'),
  ),
})

export type ProviderCalendarsView = Static<typeof ProviderCalendarsView>
export const ProviderCalendarsView = Type.Object({
  calendars: Type.Array(
    Type.Object({
      externalId: Type.String(),
      name: Type.String(),
      primary: Type.Boolean(),
      writable: Type.Boolean({ description: 'Whether bookings can be added to it.' }),
    }),
  ),
})
