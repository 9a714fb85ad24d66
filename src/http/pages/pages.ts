import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sentence } from '../../domain/sentence.ts'
import { workingCaptchas } from '../../services/check-captcha.ts'
import type { Context } from '../../services/context.ts'
import { isUnclaimed } from '../../services/people/sign-in/unclaimed.ts'
import { findDemoSlug } from '../../services/workspace/demo/find-demo.ts'
import type { RateLimits } from '../gate.ts'
import { guessCounter } from '../old-uids.ts'
import { type BuiltPages, openBuiltPages } from './built-pages.ts'
import { dashboardAppRoutes, manifestPath } from './dashboard-app.ts'
import { paintDashboard, paintSignIn } from './dashboard-paint.ts'
import { embedScriptRoutes } from './embed-script.ts'
import { guestPages } from './guest-pages.ts'
import { homeDescription, homeTitle, paintHome } from './home.ts'
import { bookingLeader, createOldLinks, type LeadOn } from './old-links.ts'
import type { CommonData, DashboardData } from './page-data.ts'
import { createPageSender, OWN_COLOUR, type PageSender, PRIVATE, wantsPage } from './page-sender.ts'
import { sendAsset } from './send-asset.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'

const BUILT = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/** Shows a failure as a page to browsers; undefined for programs, which get JSON. */
type ShowFailure = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  sentence: Sentence,
) => Promise<FastifyReply> | undefined

interface Pages {
  /** Adds the routes of the pages and of the files they load. */
  readonly routes: (app: FastifyInstance) => Promise<void>
  readonly showFailure: ShowFailure
  /** Leads old addresses on. */
  readonly leadOn: LeadOn
}

interface PagesOptions {
  /** Where the pages were built, if not in the usual folder. */
  readonly pagesFolder?: string
  /** Where `/` redirects, if not empty. */
  readonly homeUrl?: string
  readonly rateLimits: RateLimits
}

/** All pages. */
export function createPages(
  context: Context,
  { pagesFolder = BUILT, homeUrl = '', rateLimits }: PagesOptions,
): Pages {
  const built = openBuiltPages(pagesFolder)
  const pages = createPageSender(context.publicUrl, built)
  const lead = bookingLeader(context, pages, guessCounter(rateLimits))
  return {
    routes: async (app) => {
      homeRoute(app, context, pages, homeUrl)
      guestPages(app, context, pages, lead)
      const unclaimed = untilClaimed(context)
      await app.register(unsubscribeRoutes, { context, pages })
      dashboardAppRoutes(app, pages, built)
      for (const path of ['/app', '/app/*']) {
        app.get(path, { schema: { hide: true } }, async (request, reply) =>
          sendDashboard(request, reply, pages, dashboardOf(context, await unclaimed())),
        )
      }
      assetRoute(app, built)
      faviconRoute(app, built)
      await app.register(embedScriptRoutes, { base: pages.base, findFile: built.embedFile })
    },
    showFailure: (request, reply, status, sentence) =>
      wantsPage(request)
        ? pages.sendNotice(request, reply, pages.localeFor(request, 'en'), { status, sentence })
        : undefined,
    leadOn: createOldLinks(context, pages, lead, rateLimits),
  }
}

/** The root: a page of its own, or the operator's website. */
function homeRoute(app: FastifyInstance, context: Context, pages: PageSender, homeUrl: string): void {
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    if (homeUrl !== '') return reply.header('cache-control', 'max-age=60').redirect(homeUrl, 302)
    const locale = pages.localeFor(request, 'en')
    return pages.sendPlain(request, reply, {
      title: homeTitle(locale),
      description: homeDescription(locale),
      canonical: `${context.publicUrl}/`,
      locale,
      body: paintHome(pages.base, locale, await findDemoSlug(context)),
    })
  })
}

/** The dashboard, which is one page for all its addresses. */
function sendDashboard(
  request: FastifyRequest,
  reply: FastifyReply,
  pages: PageSender,
  data: Omit<DashboardData, keyof CommonData>,
) {
  const locale = pages.localeFor(request, 'en')
  return pages.send(request, reply, {
    title: 'Punctual',
    description: '',
    noindex: true,
    theme: 'auto',
    primaryColor: OWN_COLOUR,
    // Until the script knows better: which language was chosen before, or who is signed in.
    data: { ...data, locale, base: pages.base, embed: false },
    frames: true,
    manifest: manifestPath(pages.base),
    body: request.url.startsWith('/app/sign-in')
      ? paintSignIn(pages.base, locale)
      : paintDashboard(pages.base),
    headers: PRIVATE,
  })
}

const dashboardOf = (context: Context, unclaimed: boolean): Omit<DashboardData, keyof CommonData> => ({
  page: 'dashboard',
  publicUrl: context.publicUrl,
  singleSignOn: context.singleSignOn?.name ?? '',
  signInByEmail: context.singleSignOn?.only !== true,
  unclaimed,
  captchas: workingCaptchas(context),
  sms: context.sms !== undefined,
})

/** Whether nobody runs this instance yet. Once somebody does, it is not asked again. */
function untilClaimed(context: Context): () => Promise<boolean> {
  let claimed = false
  return async () => {
    claimed ||= !(await isUnclaimed(context))
    return !claimed
  }
}

/** The files that pages load. */
function assetRoute(app: FastifyInstance, built: BuiltPages): void {
  app.get<{ Params: { name: string } }>('/assets/:name', { schema: { hide: true } }, (request, reply) => {
    const asset = built.asset(request.params.name)
    if (asset === undefined) return reply.callNotFound()
    // The name holds a digest of the content, so the file never changes.
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'same-origin')
    return sendAsset(request, reply, asset)
  })
}

/** Browsers ask for it here, whatever a page says. */
function faviconRoute(app: FastifyInstance, built: BuiltPages): void {
  app.get('/favicon.ico', { schema: { hide: true } }, (request, reply) => {
    const icon = built.asset('punctual-mark-2.ico')
    if (icon === undefined) return reply.callNotFound()
    return sendAsset(request, reply.header('cache-control', 'public, max-age=86400'), icon)
  })
}
