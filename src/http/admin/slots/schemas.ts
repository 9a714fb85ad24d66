import type { Static } from 'typebox'
import { Type } from '../../../format/type.ts'

export type ExplanationView = Static<typeof ExplanationView>
export const ExplanationView = Type.Object({
  startTime: Type.String(),
  offered: Type.Boolean(),
  groups: Type.Array(
    Type.Object({
      hostIds: Type.Array(Type.String(), { description: 'Hosts who would all have to be free.' }),
      reasons: Type.Array(Type.String(), {
        description: 'Every rule that excludes the start; none when it is offered.',
      }),
    }),
  ),
})
