import { type ComponentType, useEffect } from 'react'
import type { DashboardData } from '../../src/http/pages/page-data.ts'
import { Frame as GuestFrame } from '../parts/frame.tsx'
import { Lazy, type LazyPart, lazyPart } from '../parts/lazy-part.tsx'
import { Queries } from '../parts/queries.tsx'
import { useSpeech } from '../parts/texts.tsx'
import { ClockContext } from '../parts/time/clock.ts'
import { setBase } from './core/base.ts'
import { Button } from './core/buttons.tsx'
import { useEventTypes, useMe } from './core/data/data.ts'
import { errorText } from './core/data/errors.ts'
import { loadRefusals } from './core/data/refusals.ts'
import { resumeSession, useSession } from './core/data/session.ts'
import { dropOldDrafts } from './core/fields/kept-drafts.ts'
import { WorkingCaptchas } from './core/fields/protection.tsx'
import { speakWhenIdle, wordingOf } from './core/language.ts'
import { EmptyState, Page, RowsSkeleton } from './core/page.tsx'
import { navigate, useRoute } from './core/router.tsx'
import { SendsTexts } from './core/sends-texts.ts'
import { PublicUrl } from './core/share/public-url.ts'
import { clockSettingsOf } from './core/time/times.ts'
import { startWorker, stopWorker } from './core/worker.ts'
import { Frame } from './frame.tsx'
import { keepReturnPath } from './people/sign-in/return-path.ts'
import { SignInPage } from './people/sign-in/sign-in.tsx'
import { SignInAgain } from './people/sign-in/sign-in-again.tsx'
import { loadMoveInWords, words } from './words.ts'

/** The paths of a page; a group in the pattern is the id it shows. */
interface PageRoute {
  readonly pattern: RegExp
  readonly page: LazyPart<{ readonly id: string }>
}

type Load = () => Promise<{ default: ComponentType<{ readonly id: string }> }>

const page = (load: Load) => lazyPart('page', load)

/** A page with the words for moving in. */
const movingIn = (load: Load) => page(async () => (await Promise.all([load(), loadMoveInWords()]))[0])

const ROUTES: readonly PageRoute[] = [
  { pattern: /^\/app\/welcome$/, page: page(() => import('./people/sign-in/welcome.tsx')) },
  { pattern: /^\/app\/bookings$/, page: page(() => import('./bookings/bookings-page.tsx')) },
  { pattern: /^\/app\/bookings\/([\w-]+)$/, page: page(() => import('./bookings/booking-page.tsx')) },
  { pattern: /^\/app\/event-types$/, page: page(() => import('./event-types/event-types-page.tsx')) },
  {
    pattern: /^\/app\/event-types\/([\w-]+)$/,
    page: page(() => import('./event-types/event-type-page.tsx')),
  },
  {
    pattern: /^\/app\/availability$/,
    page: page(() => import('./event-types/availability/availability-page.tsx')),
  },
  { pattern: /^\/app\/forms$/, page: page(() => import('./forms/forms-page.tsx')) },
  {
    pattern: /^\/app\/forms\/([\w-]+)$/,
    // It tries rules out by itself, so it says refusals by itself.
    page: page(async () => (await Promise.all([import('./forms/form-page.tsx'), loadRefusals()]))[0]),
  },
  { pattern: /^\/app\/forms\/([\w-]+)\/funnel$/, page: page(() => import('./forms/funnel-page.tsx')) },
  { pattern: /^\/app\/insights$/, page: page(() => import('./bookings/insights/insights-page.tsx')) },
  { pattern: /^\/app\/teams$/, page: page(() => import('./people/teams/teams-page.tsx')) },
  { pattern: /^\/app\/teams\/([\w-]+)$/, page: page(() => import('./people/teams/team-page.tsx')) },
  {
    pattern: /^\/app\/teams\/([\w-]+)\/assignments$/,
    page: page(() => import('./bookings/insights/fairness-page.tsx')),
  },
  { pattern: /^\/app\/calendars$/, page: page(() => import('./calendars/calendars-page.tsx')) },
  { pattern: /^\/app\/webhooks$/, page: page(() => import('./webhooks/webhooks-page.tsx')) },
  { pattern: /^\/app\/webhooks\/([\w-]+)$/, page: page(() => import('./webhooks/webhook-page.tsx')) },
  { pattern: /^\/app\/blocklist$/, page: page(() => import('./bookings/blocklist-page.tsx')) },
  { pattern: /^\/app\/privacy$/, page: page(() => import('./workspace/privacy-page.tsx')) },
  { pattern: /^\/app\/profile$/, page: page(() => import('./people/profile-page.tsx')) },
  { pattern: /^\/app\/tokens$/, page: page(() => import('./people/tokens-page.tsx')) },
  { pattern: /^\/app\/people$/, page: page(() => import('./people/people-page.tsx')) },
  { pattern: /^\/app\/system$/, page: page(() => import('./workspace/system-page.tsx')) },
  { pattern: /^\/app\/move-in$/, page: movingIn(() => import('./imports/move-in-page.tsx')) },
  { pattern: /^\/app\/move-in\/([\w-]+)$/, page: movingIn(() => import('./imports/import-page.tsx')) },
  { pattern: /^\/app\/audit$/, page: page(() => import('./people/audit-page.tsx')) },
]

const requiredPasskey = lazyPart('required-passkey', () => import('./people/sign-in/required-passkey.tsx'))

/** Where hosts manage everything. */
export function Dashboard({ data }: { readonly data: DashboardData }) {
  setBase(data.base)
  return (
    <PublicUrl value={data.publicUrl}>
      <WorkingCaptchas value={data.captchas}>
        <SendsTexts value={data.sms}>
          <Queries>
            <Gate data={data} />
          </Queries>
        </SendsTexts>
      </WorkingCaptchas>
    </PublicUrl>
  )
}

/** Lets signed-in users in, and asks everyone else to sign in. */
function Gate({ data }: { readonly data: DashboardData }) {
  const session = useSession()
  const { path, query } = useRoute()
  const signingIn = path === '/app/sign-in'
  useEffect(() => {
    if (session.status === 'unknown') void resumeSession()
  }, [session.status])
  useEffect(dropOldDrafts, [])
  useEffect(() => {
    if (session.status === 'signed-in') startWorker()
    if (session.status === 'signed-out') void stopWorker().catch(() => undefined)
  }, [session.status])
  useEffect(() => {
    if (session.status === 'signed-out' && !signingIn) {
      keepReturnPath(path + (query.size > 0 ? `?${query}` : ''))
      navigate('/app/sign-in', { replace: true })
    }
  }, [session.status, signingIn, path, query])

  if (session.status === 'unreachable') {
    return (
      <GuestFrame {...data}>
        <main className="card sign-in">
          <h1>{words.notLoaded}</h1>
          <p className="muted">{words.notReached}</p>
          <Button kind="primary" onPress={() => void resumeSession()}>
            {words.tryAgain}
          </Button>
        </main>
      </GuestFrame>
    )
  }
  if (signingIn || session.status === 'signed-out') {
    return (
      <GuestFrame {...data}>
        <SignInPage session={session} ways={data} />
      </GuestFrame>
    )
  }
  if (session.status === 'signed-in' && session.mustAddPasskey) {
    return (
      <GuestFrame {...data}>
        <Lazy part={requiredPasskey}>{(RequiredPasskey) => <RequiredPasskey />}</Lazy>
      </GuestFrame>
    )
  }
  return (
    <Frame base={data.base}>
      {'user' in session ? (
        // The key drops everything of the previous user.
        <Pages key={session.user.id} path={path} />
      ) : (
        <Skeleton />
      )}
      {session.status === 'ended' && <SignInAgain email={session.user.email} ways={data} />}
    </Frame>
  )
}

const Skeleton = () => (
  <div className="content">
    <div className="content-head">
      <span className="bar bar-title" />
    </div>
    <RowsSkeleton />
  </div>
)

function Pages({ path }: { readonly path: string }) {
  const { tell } = useSpeech()
  // Every page needs the user's time zone, links and teams.
  const me = useMe()
  const route = ROUTES.find(({ pattern }) => pattern.test(path))
  useEffect(() => {
    // Load the page's code at the same time. A failure is told where the page is shown.
    route?.page.load().catch(() => undefined)
  }, [route])
  const wording = me.data && wordingOf(me.data.body)
  useEffect(() => {
    if (wording !== undefined) speakWhenIdle(wording)
  }, [wording])
  if (path === '/app') return <Start />
  if (route !== undefined) {
    // Not `isError`, which is false while it is tried again: a button that vanishes then loses the click on it.
    if (me.data === undefined) {
      if (me.errorUpdateCount === 0) return <Skeleton />
      return (
        <NotLoaded lead={me.error === null ? '' : errorText(me.error)} tryAgain={() => void me.refetch()} />
      )
    }
    return (
      <ClockContext value={clockSettingsOf(me.data.body)}>
        <Lazy
          key={path}
          part={route.page}
          waiting={<Skeleton />}
          failing={(tryAgain) => <NotLoaded lead={tell('partFailed')} tryAgain={tryAgain} />}
        >
          {(Shown) => <Shown id={route.pattern.exec(path)?.[1] ?? ''} />}
        </Lazy>
      </ClockContext>
    )
  }
  return (
    <Page title={words.missing}>
      <EmptyState
        title={words.missing}
        action={<Button onPress={() => navigate('/app')}>{words.nav.bookings}</Button>}
      >
        {words.missingHint}
      </EmptyState>
    </Page>
  )
}

interface NotLoadedProps {
  readonly lead: string
  readonly tryAgain: () => void
}

const NotLoaded = ({ lead, tryAgain }: NotLoadedProps) => (
  <Page title={words.notLoaded} lead={lead}>
    <Button onPress={tryAgain}>{words.tryAgain}</Button>
  </Page>
)

/** Leads new hosts to the setup, and all others to their bookings. */
function Start() {
  const eventTypes = useEventTypes()
  const count = eventTypes.data?.length
  const failed = eventTypes.isError
  useEffect(() => {
    if (count !== undefined || failed) {
      navigate(count === 0 ? '/app/welcome' : '/app/bookings', { replace: true })
    }
  }, [count, failed])
  return <Skeleton />
}
