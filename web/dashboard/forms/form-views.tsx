import { Segments } from '../core/fields/fields.tsx'
import { navigate } from '../core/router.tsx'
import { words } from '../words.ts'

const SUFFIXES = { build: '', responses: '?view=responses', funnel: '/funnel' } as const

interface Props {
  readonly formId: string
  readonly shown: keyof typeof SUFFIXES
}

/** The ways to look at a form. */
export function FormViews({ formId, shown }: Props) {
  const f = words.forms
  return (
    <Segments
      label={f.views}
      value={shown}
      options={[
        { id: 'build', label: f.build },
        { id: 'responses', label: f.responses },
        { id: 'funnel', label: f.funnel.title },
      ]}
      onChange={(next) => navigate(`/app/forms/${formId}${SUFFIXES[next]}`)}
    />
  )
}
