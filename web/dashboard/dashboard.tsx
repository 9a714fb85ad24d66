import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import type { DashboardData } from '../../src/http/pages/page-data.ts'
import { Frame as GuestFrame } from '../parts/frame.tsx'
import { Queries } from '../parts/queries.tsx'
import { setDeskBase } from './core/api.ts'
import { Action } from './core/controls.tsx'
import { type Asked, sentenceOf, useAll, useMe } from './core/data.ts'
import { Empty, Page, RowsSkeleton } from './core/page.tsx'
import { PublicUrl } from './core/public-url.ts'
import { navigate, setBase, usePlace } from './core/router.tsx'
import { begin, setApiBase, useSession } from './core/session.ts'
import type { EventTypeView } from './core/views.ts'
import { Frame } from './frame.tsx'
import { keepWanted, SignInPage } from './people/sign-in.tsx'
import { words } from './words.ts'

/** A page, loaded when it is opened, and what its address has in place of the stars. */
interface Route {
  readonly pattern: RegExp
  readonly page: LazyPage
}

interface LazyPage {
  readonly load: () => Promise<unknown>
  readonly Shown: ComponentType<{ readonly id: string }>
}

const page = (load: () => Promise<{ default: ComponentType<{ readonly id: string }> }>): LazyPage => ({
  load,
  Shown: lazy(load),
})

const ROUTES: readonly Route[] = [
  { pattern: /^\/app\/welcome$/, page: page(() => import('./people/welcome.tsx')) },
  { pattern: /^\/app\/bookings$/, page: page(() => import('./bookings/bookings-page.tsx')) },
  { pattern: /^\/app\/bookings\/([\w-]+)$/, page: page(() => import('./bookings/booking-page.tsx')) },
  { pattern: /^\/app\/event-types$/, page: page(() => import('./event-types/event-types-page.tsx')) },
  {
    pattern: /^\/app\/event-types\/([\w-]+)$/,
    page: page(() => import('./event-types/event-type-page.tsx')),
  },
  { pattern: /^\/app\/availability$/, page: page(() => import('./event-types/availability-page.tsx')) },
  { pattern: /^\/app\/forms$/, page: page(() => import('./forms/forms-page.tsx')) },
  { pattern: /^\/app\/forms\/([\w-]+)$/, page: page(() => import('./forms/form-page.tsx')) },
  { pattern: /^\/app\/insights$/, page: page(() => import('./bookings/insights-page.tsx')) },
  { pattern: /^\/app\/teams$/, page: page(() => import('./people/teams-page.tsx')) },
  { pattern: /^\/app\/teams\/([\w-]+)$/, page: page(() => import('./people/team-page.tsx')) },
  { pattern: /^\/app\/calendars$/, page: page(() => import('./calendars/calendars-page.tsx')) },
  { pattern: /^\/app\/webhooks$/, page: page(() => import('./webhooks/webhooks-page.tsx')) },
  { pattern: /^\/app\/webhooks\/([\w-]+)$/, page: page(() => import('./webhooks/webhook-page.tsx')) },
  { pattern: /^\/app\/blocklist$/, page: page(() => import('./bookings/blocklist-page.tsx')) },
  { pattern: /^\/app\/profile$/, page: page(() => import('./people/profile-page.tsx')) },
  { pattern: /^\/app\/tokens$/, page: page(() => import('./people/tokens-page.tsx')) },
  { pattern: /^\/app\/audit$/, page: page(() => import('./people/audit-page.tsx')) },
]

/** The host's desk. */
export function Dashboard({ data }: { readonly data: DashboardData }) {
  setBase(data.base)
  setApiBase(data.base)
  setDeskBase(data.base)
  return (
    <PublicUrl value={data.publicUrl}>
      <Queries>
        <Gate data={data} />
      </Queries>
    </PublicUrl>
  )
}

function Gate({ data }: { readonly data: DashboardData }) {
  const session = useSession()
  const { path, query } = usePlace()
  const signingIn = path === '/app/sign-in'
  useEffect(() => {
    if (session.status === 'unknown') void begin()
  }, [session.status])
  useEffect(() => {
    if (session.status === 'out' && !signingIn) {
      keepWanted(path + (query.size > 0 ? `?${query}` : ''))
      navigate('/app/sign-in', { replace: true })
    }
  }, [session.status, signingIn, path, query])

  if (session.status === 'away') {
    return (
      <GuestFrame {...data}>
        <main className="card sign-in">
          <h1>{words.notLoaded}</h1>
          <p className="m-0 text-muted">{words.notReached}</p>
          <Action kind="main" onPress={() => void begin()}>
            {words.tryAgain}
          </Action>
        </main>
      </GuestFrame>
    )
  }
  if (signingIn || session.status === 'out') {
    return (
      <GuestFrame {...data}>
        <SignInPage session={session} />
      </GuestFrame>
    )
  }
  return (
    <Frame base={data.base}>
      {session.status === 'in' ? (
        // Another person has other data: nothing of the one before stays.
        <Pages key={session.user.id} path={path} />
      ) : (
        <Waiting />
      )}
    </Frame>
  )
}

const Waiting = () => (
  <div className="content">
    <div className="content-head">
      <span className="bar bar-title" />
    </div>
    <RowsSkeleton />
  </div>
)

function Pages({ path }: { readonly path: string }) {
  // Whose desk it is decides what every page shows: their zone, their addresses, their teams.
  const me = useMe()
  const route = ROUTES.find(({ pattern }) => pattern.test(path))
  useEffect(() => {
    // What it consists of can be on its way meanwhile. That it did not come is said where it is shown.
    route?.page.load().catch(() => undefined)
  }, [route])
  if (path === '/app') return <Start />
  if (route !== undefined) {
    if (me.data === undefined) return me.isError ? <NotLoaded query={me} /> : <Waiting />
    const { Shown } = route.page
    return (
      <Suspense fallback={<Waiting />}>
        <Shown key={path} id={route.pattern.exec(path)?.[1] ?? ''} />
      </Suspense>
    )
  }
  return (
    <Page title={words.missing}>
      <Empty
        title={words.missing}
        action={<Action onPress={() => navigate('/app')}>{words.nav.bookings}</Action>}
      >
        {words.missingHint}
      </Empty>
    </Page>
  )
}

const NotLoaded = ({ query }: { readonly query: Asked<unknown> }) => (
  <Page title={words.notLoaded} lead={sentenceOf(query.error)}>
    <Action onPress={() => void query.refetch()}>{words.tryAgain}</Action>
  </Page>
)

/** Whoever has nothing to be booked for yet is shown how to get there. */
function Start() {
  const eventTypes = useAll<EventTypeView>('/event-types')
  const count = eventTypes.data?.length
  const failed = eventTypes.isError
  useEffect(() => {
    if (count !== undefined || failed) {
      navigate(count === 0 ? '/app/welcome' : '/app/bookings', { replace: true })
    }
  }, [count, failed])
  return <Waiting />
}
