import { titleOf, useKinds } from '../core/data/kinds.ts'
import type { ImportView } from '../core/data/views.ts'
import { Select, TextInput } from '../core/fields/fields.tsx'
import { FormError } from '../core/fields/form-errors.tsx'
import { Section } from '../core/page.tsx'
import { list, moveInWords, tell } from '../words.ts'
import { tableName, videoName } from './imports.ts'

/** What was decided: by the key of the row, or the name of the service. */
export interface Chosen {
  readonly slugs: Readonly<Record<string, string>>
  readonly video: Readonly<Record<string, string>>
  /** Keys of people who stay there, with their names. */
  readonly leaveOut: ReadonlyMap<string, string>
}

interface Props {
  readonly given: ImportView
  readonly chosen: Chosen
  readonly onChange: (chosen: Chosen) => void
}

type Offered = NonNullable<ImportView['plan']>['choices'][number]

/** What can be decided before a plan is applied. */
export function PlanChoices({ given: { plan }, chosen, onChange }: Props) {
  const c = moveInWords.choices
  const all = plan?.choices ?? []
  // Without a service that makes links there is nothing to choose.
  const offered = all.filter(({ kind, options }) => kind === 'slug' || options?.length !== 0)
  const unlinked = all.filter((choice) => !offered.includes(choice)).map(({ from = '' }) => videoName(from))
  const { leaveOut } = chosen
  return (
    <Section title={c.title} hint={offered.length > 0 && c.hint}>
      <div className="stack">
        {offered.map((choice) =>
          choice.kind === 'slug' ? (
            <SlugChoice
              key={choice.key}
              choice={choice}
              value={chosen.slugs[choice.key ?? ''] ?? choice.suggested}
              onChange={(slug) =>
                onChange({ ...chosen, slugs: { ...chosen.slugs, [choice.key ?? '']: slug } })
              }
            />
          ) : (
            <VideoChoice
              key={choice.from}
              choice={choice}
              value={chosen.video[choice.from ?? ''] ?? choice.suggested}
              onChange={(provider) =>
                onChange({ ...chosen, video: { ...chosen.video, [choice.from ?? '']: provider } })
              }
            />
          ),
        )}
        {unlinked.length > 0 && <p className="muted">{tell(c.unlinked, { services: list(unlinked) })}</p>}
        <p className="muted">{c.leaveOut}</p>
        <p role="status">
          {leaveOut.size > 0 &&
            tell(c.leftOut, { count: leaveOut.size, names: list([...leaveOut.values()]) })}
        </p>
        <FormError />
      </div>
    </Section>
  )
}

interface ChoiceProps {
  readonly choice: Offered
  readonly value: string
  readonly onChange: (value: string) => void
}

function SlugChoice({ choice: { key = '', wanted = '' }, value, onChange }: ChoiceProps) {
  const c = moveInWords.choices
  return (
    <TextInput
      label={tell(c.slug, { table: tableName(key.slice(0, key.indexOf('/'))), wanted })}
      hint={tell(c.slugHint, { wanted })}
      field={`choices.slugs.${key}`}
      maxLength={64}
      value={value}
      onChange={(typed) => onChange(typed.trim().toLowerCase())}
    />
  )
}

function VideoChoice({ choice, value, onChange }: ChoiceProps) {
  const { kinds = [] } = useKinds().data?.body ?? {}
  const c = moveInWords.choices
  const { from = '', eventTypes = 0, options = [] } = choice
  return (
    <Select
      label={tell(c.video, { service: videoName(from) })}
      hint={tell(c.videoUsed, { count: eventTypes })}
      field={`choices.video.${from}`}
      value={value}
      options={[
        ...options.map((id) => ({ id, label: titleOf(kinds, id) || id })),
        { id: '', label: c.noLink },
      ]}
      onChange={onChange}
    />
  )
}
