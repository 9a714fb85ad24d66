import { useState } from 'react'
import { MOMENTS, type Moment } from '../../../src/domain/messages/moments.ts'
import { CreateSheet } from '../core/dialogs.tsx'
import { DurationInput, Select } from '../core/fields/fields.tsx'
import { messageWords } from '../words.ts'
import { momentName } from './moment-fields.tsx'
import { SAMPLES, type Sample } from './samples.ts'
import type { Beginning } from './use-messages.ts'

interface Props {
  /** The only moment that it can have. */
  readonly only: Moment | undefined
  readonly onBegin: (sample: Sample, beginning: Beginning) => void
  readonly onClose: () => void
}

const HOUR = 60
const TIMED: ReadonlySet<Moment> = new Set<Moment>(['before', 'after', 'unbooked'])

/** Asks for the moment of a new message, and for the words to begin with. */
export function NewMessage({ only, onBegin, onClose }: Props) {
  const moments = MOMENTS.filter((moment) => (only === undefined ? moment !== 'unbooked' : moment === only))
  const [on, setOn] = useState<Moment>(only ?? 'before')
  const [minutes, setMinutes] = useState(only === 'unbooked' ? HOUR : 24 * HOUR)
  const [sample, setSample] = useState<Sample>(only === 'unbooked' ? 'nudge' : 'blank')
  const m = messageWords
  const samples = Object.entries(SAMPLES).filter(([, { on: usual }]) => moments.includes(usual))
  return (
    <CreateSheet
      title={m.addTitle}
      submit={m.write}
      busy={false}
      error={undefined}
      onClose={onClose}
      onSubmit={() => {
        onBegin(sample, { on, minutes: TIMED.has(on) ? minutes : null, to: 'guest', replaces: false })
        onClose()
      }}
    >
      <Select
        label={m.ready}
        value={sample}
        options={[
          { id: 'blank', label: m.samples.blank.name },
          ...samples.map(([id]) => ({ id, label: m.samples[id as Sample].name })),
        ]}
        onChange={(id) => {
          const [chosen, usual] = samples.find(([one]) => one === id) ?? ['blank', undefined]
          setSample(chosen as Sample)
          if (usual === undefined) return
          setOn(usual.on)
          if (usual.minutes !== null) setMinutes(usual.minutes)
        }}
      />
      <div className="columns">
        {only === undefined && (
          <Select
            label={m.on}
            value={on}
            options={moments.map((id) => ({ id, label: momentName(id) }))}
            onChange={(id) => setOn(moments.find((moment) => moment === id) ?? on)}
          />
        )}
        {TIMED.has(on) && (
          <DurationInput
            label={only === undefined ? m.minutes : momentName(on)}
            minutes={minutes}
            onChange={setMinutes}
          />
        )}
      </div>
    </CreateSheet>
  )
}
