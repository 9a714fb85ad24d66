import type { Static } from 'typebox'
import { IMPORT_STATES, LINE_STATES } from '../../../domain/imports/plan.ts'
import { SOURCES } from '../../../domain/imports/source.ts'
import { list, nullable, oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'

export const StartQuery = Type.Object({
  source: Type.Optional(
    oneOf(SOURCES, 'Where a dump comes from: calcom. Left out with a JSON body, which says so itself.'),
  ),
})

export const StartedView = Type.Object({ id: Type.String() })

const OfferedChoice = Type.Object({
  kind: oneOf(['slug', 'video']),
  key: Type.Optional(Type.String({ description: 'slug: the row that it is about, such as users/38.' })),
  wanted: Type.Optional(Type.String({ description: 'slug: what it is called there.' })),
  from: Type.Optional(Type.String({ description: 'video: the service there, such as integrations:daily.' })),
  eventTypes: Type.Optional(Type.Integer({ description: 'video: how many event types have it.' })),
  options: Type.Optional(
    Type.Array(Type.String(), {
      description: 'video: what can stand for it here; empty: a video call without a link.',
    }),
  ),
  suggested: Type.String({ description: 'What is taken otherwise.' }),
})

const texts = (description: string) =>
  Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 200 }), { description }),
  )

export const GivenChoices = Type.Object({
  slugs: texts('Slugs by row: { "users/38": "demi" }.'),
  video: texts('What stands for a service there: { "integrations:daily": "zoom" }; empty: no link.'),
  leaveOut: Type.Optional(
    list(Type.String({ maxLength: 200 }), {
      maxItems: 10_000,
      description: 'Rows that stay there: users/40.',
    }),
  ),
})

export const ApplyImport = Type.Object({ choices: Type.Optional(GivenChoices) })

export type ImportView = Static<typeof ImportView>
export const ImportView = Type.Object({
  id: Type.String(),
  source: oneOf(SOURCES),
  state: oneOf(IMPORT_STATES, 'planned: it can be applied. failed: report says why.'),
  progress: Type.Object({ done: Type.Integer(), total: Type.Integer() }),
  plan: nullable(
    Type.Object({
      counts: Type.Record(
        Type.String(),
        Type.Object({
          new: Type.Integer(),
          changed: Type.Integer(),
          same: Type.Integer(),
          'left-out': Type.Integer(),
        }),
        { description: 'Rows by table and state.' },
      ),
      choices: Type.Array(OfferedChoice),
    }),
    'Null until it is planned.',
  ),
  report: nullable(
    Type.Object({
      sentence: Type.String({ description: 'Why it failed; empty: it did not.' }),
      notes: Type.Array(Type.String(), { description: 'What could not be read.' }),
    }),
    'Null while it is read.',
  ),
  createdAt: Type.String(),
  appliedAt: nullable(Type.String()),
  undoneAt: nullable(Type.String()),
})

export const ImportsView = Type.Object({ items: Type.Array(ImportView) })

export const LinesQuery = Type.Object({
  table: Type.Optional(Type.String({ maxLength: 100, description: 'Such as EventType.' })),
  state: Type.Optional(oneOf(LINE_STATES, 'new: comes over as it is.')),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of a name.' })),
  noted: Type.Optional(oneOf(['true', 'false'], 'true: only lines with a sentence.')),
  limit: Type.Optional(Type.String({ description: '1 to 100; 50 by default.' })),
  cursor: Type.Optional(Type.String({ maxLength: 500, description: 'nextCursor of the previous page.' })),
})

export type LineView = Static<typeof LineView>
export const LineView = Type.Object({
  state: oneOf(LINE_STATES),
  table: Type.String({ description: 'As it is called there.' }),
  id: Type.String(),
  name: Type.String(),
  sentence: Type.String({
    description: 'Why it is changed or left out; empty where there is nothing to say.',
  }),
})
