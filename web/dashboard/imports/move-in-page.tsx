import { useQuery } from '@tanstack/react-query'
import { call } from '../core/data/api.ts'
import { useMe } from '../core/data/data.ts'
import type { ImportView } from '../core/data/views.ts'
import { Loaded, Page, Section } from '../core/page.tsx'
import { Link, useRoute } from '../core/router.tsx'
import { useTimes } from '../core/time/times.ts'
import { moveInWords, tell } from '../words.ts'
import { isRunning, SOURCE_NAMES } from './imports.ts'
import { StartImport } from './start-import.tsx'

const REFRESH = 2000

/** Where a team comes from, and the imports so far. */
export default function MoveInPage() {
  const isAdmin = useMe().data?.body.admin === true
  const { query } = useRoute()
  const imports = useQuery({
    queryKey: ['all', '/imports'],
    queryFn: async ({ signal }) =>
      (await call<{ items: readonly ImportView[] }>('/imports', { signal })).body.items,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? REFRESH : false),
  })
  const m = moveInWords
  return (
    <Page title={m.title} lead={isAdmin ? m.lead : m.leadOwn}>
      <StartImport isAdmin={isAdmin} source={query.get('source') === 'calendly' ? 'calendly' : 'calcom'} />
      <Loaded query={imports} skeleton={null}>
        {(all) =>
          all.length > 0 && (
            <Section title={m.imports} hint={m.importsHint}>
              <ul className="rows-inner">
                {all.map((one) => (
                  <ImportRow key={one.id} given={one} />
                ))}
              </ul>
            </Section>
          )
        }
      </Loaded>
    </Page>
  )
}

/** The colours of a booking's status mean the same here. */
const COLOURS: Readonly<Partial<Record<ImportView['state'], string>>> = {
  applied: 'Confirmed',
  planned: 'Warning',
  failed: 'Declined',
}

function ImportRow({ given: { id, source, state, createdAt } }: { readonly given: ImportView }) {
  const times = useTimes()
  const m = moveInWords
  return (
    <li className="row">
      <div className="row-main">
        <Link className="row-title" to={`/app/move-in/${id}`}>
          {tell(m.titleOf, { source: SOURCE_NAMES[source] })}
        </Link>
        <p className="row-sub">{tell(m.startedAt, { time: times.moment(createdAt) })}</p>
      </div>
      <span className="status" data-status={COLOURS[state] ?? ''}>
        {m.states[state]}
      </span>
    </li>
  )
}
