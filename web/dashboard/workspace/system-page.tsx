import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../core/data/api.ts'
import type { SystemView } from '../core/data/views.ts'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { Loaded, Page } from '../core/page.tsx'
import { useTimes } from '../core/time/times.ts'
import { words } from '../words.ts'
import { ChecksSection } from './checks-section.tsx'
import { sumOf, writeCount } from './counts.ts'
import { FailuresSection } from './failures-section.tsx'
import { QueueSection } from './queue-section.tsx'
import { BackupsSection, SoftwareSection, StorageSection } from './system-facts.tsx'

const [OFTEN, CALMLY] = [2000, 15_000]
/** How long one watches what becomes of a retry. */
const WATCHING = 20_000

/** What runs here and how it is doing, for admins of the instance. */
export default function SystemPage() {
  const [retriedAt, setRetriedAt] = useState(0)
  const system = useQuery({
    queryKey: ['one', '/system'],
    queryFn: ({ signal }) => call<SystemView>('/system', { signal }),
    refetchInterval: () => (Date.now() - retriedAt < WATCHING ? OFTEN : CALMLY),
  })
  const s = words.system
  return (
    <Page title={s.title} lead={s.lead}>
      <Loaded query={system}>
        {({ body }) => (
          <>
            <ErrorAlert error={system.error} />
            <Figures queue={body.queue} />
            <FailuresSection system={body} onRetry={() => setRetriedAt(Date.now())} />
            <QueueSection queue={body.queue} />
            <ChecksSection />
            <SoftwareSection system={body} />
            <BackupsSection backups={body.backups} />
            <StorageSection storage={body.storage} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Figures({ queue }: Pick<SystemView, 'queue'>) {
  const { tag } = useTimes()
  const s = words.system
  const figures = [
    { name: s.counts.waiting, value: sumOf(queue, 'waiting') },
    { name: s.counts.running, value: sumOf(queue, 'running') },
    { name: s.counts.failing, value: sumOf(queue, 'failing') },
    { name: s.counts.givenUp, value: sumOf(queue, 'givenUp') },
  ]
  return (
    <dl className="figures">
      {figures.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{writeCount(tag, value)}</dd>
        </div>
      ))}
    </dl>
  )
}
