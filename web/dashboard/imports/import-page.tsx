import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import type { ImportView } from '../core/data/views.ts'
import { Loaded, Page, Section } from '../core/page.tsx'
import { navigate } from '../core/router.tsx'
import { useTimes } from '../core/time/times.ts'
import { moveInWords, tell, words } from '../words.ts'
import { AppliedImport } from './applied-import.tsx'
import { isRunning, SOURCE_NAMES } from './imports.ts'
import { PlannedImport } from './planned-import.tsx'
import { Progress } from './progress.tsx'

const REFRESH = 1000

/** An import, from reading to undoing. */
export default function ImportPage({ id }: { readonly id: string }) {
  const path = `/imports/${id}`
  const times = useTimes()
  const found = useQuery({
    queryKey: ['one', path],
    queryFn: async ({ signal }) => (await call<ImportView>(path, { signal })).body,
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? REFRESH : false),
  })
  const m = moveInWords
  return (
    <Page
      title={found.data ? tell(m.titleOf, { source: SOURCE_NAMES[found.data.source] }) : m.title}
      lead={found.data && tell(m.startedAt, { time: times.moment(found.data.createdAt) })}
      back={{ to: '/app/move-in', label: m.title }}
    >
      <Loaded query={found}>{(given) => <ShownImport given={given} />}</Loaded>
    </Page>
  )
}

function ShownImport({ given }: { readonly given: ImportView }) {
  const { id, state, source, progress, report } = given
  const client = useQueryClient()
  const known = useRef(state)
  useEffect(() => {
    if (known.current === state) return
    known.current = state
    // What had the focus may be gone.
    document.querySelector<HTMLElement>('.content h1')?.focus({ preventScroll: true })
    // People, event types and bookings may be others now.
    if (state === 'applied' || state === 'undone')
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== `/imports/${id}` })
  }, [state, client, id])
  const m = moveInWords
  const running = state === 'reading' ? m.reading : m.applying
  return (
    <>
      <p className="sr-only" role="status">
        {m.states[state]}
      </p>
      {isRunning(given) && (
        <Section title={running.title} hint={running.hint}>
          <Progress label={m.states[state]} {...progress} />
        </Section>
      )}
      {state === 'failed' && (
        <Section title={m.failed.title} hint={m.failed.hint}>
          <p className="alert">{report?.sentence}</p>
          <ReadAgain source={source}>{words.tryAgain}</ReadAgain>
        </Section>
      )}
      {state === 'planned' && <PlannedImport given={given} />}
      {state === 'applied' && <AppliedImport given={given} />}
      {state === 'undone' && (
        <Section title={m.undone.title} hint={m.undone.hint}>
          <ReadAgain source={source}>{m.applied.again}</ReadAgain>
        </Section>
      )}
    </>
  )
}

interface AgainProps {
  readonly source: ImportView['source']
  readonly children: string
}

const ReadAgain = ({ source, children }: AgainProps) => (
  <div>
    <Button onPress={() => navigate(`/app/move-in?source=${source}`)}>{children}</Button>
  </div>
)
