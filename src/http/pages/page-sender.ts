import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Framers } from '../../domain/event-types/framing.ts'
import { chooseLocale, type Locale, wordingOf } from '../../domain/languages.ts'
import { type Scheduler, THEMES } from '../../domain/people/scheduler.ts'
import { english } from '../../domain/sentence.ts'
import { readColour, surfaceOf } from '../../format/contrast.ts'
import { html } from '../../format/text/html.ts'
import { compressAnswer } from '../compression.ts'
import type { BuiltPages, Starter } from './built-pages.ts'
import { type Notice, noticeTitle, paintNotice, TELL_STATUS } from './notice.ts'
import type { CommonData, Embedding, PageData } from './page-data.ts'
import { type PolicyOptions, policyOf } from './policy.ts'
import { renderShell, type ShellOptions } from './shell.ts'

const NOT_BUILT = english`The pages of this service have not been built, so only its API works. Its operator can build them with: npm run build`

type PageOptions = Omit<ShellOptions, 'nonce' | 'base' | 'css' | 'script' | 'locale'> &
  Omit<PolicyOptions, 'nonce' | 'starter'> & {
    readonly data: PageData
    readonly headers?: Record<string, string>
  }

/** The service's own colour, for pages that belong to no host. */
export const OWN_COLOUR = '#0f766e'

/** A page without a script, in the service's own look. */
type PlainPage = Pick<ShellOptions, 'title' | 'description' | 'canonical' | 'noindex' | 'locale' | 'body'>

/** For pages whose URL or content is private. */
export const PRIVATE = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const

/** Writes pages around what Vite has built. */
export interface PageSender {
  /** The path of the service's public URL, without a slash at its end. */
  readonly base: string
  localeFor(request: FastifyRequest, own: string): Locale
  commonFor(request: FastifyRequest, scheduler: Scheduler, framers: Framers): CommonData
  /** What the page tells the site around it; false outside of frames. */
  embeddingFor(request: FastifyRequest, framers: Framers): Embedding | false
  send(request: FastifyRequest, reply: FastifyReply, options: PageOptions): Promise<FastifyReply>
  sendPlain(request: FastifyRequest, reply: FastifyReply, page: PlainPage): Promise<FastifyReply>
  /** A page with one sentence, such as that nothing is here. */
  sendNotice(
    request: FastifyRequest,
    reply: FastifyReply,
    locale: Locale,
    notice: Notice,
  ): Promise<FastifyReply>
}

export function createPageSender(publicUrl: string, built: BuiltPages): PageSender {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')

  const send: PageSender['send'] = (request, reply, options) => {
    const { data, headers } = options
    const framers = data.embed === false ? options.framers : data.embed.framers
    const page = built.page(data.page, wordingOf(data.locale.language, data.germanAddress))
    if (page === undefined)
      return sendNotice(request, reply, data.locale, { status: 503, sentence: NOT_BUILT })
    const nonce = randomBytes(16).toString('base64url')
    reply.headers({
      'content-security-policy': policyOf({ ...options, starter: page.starter, framers, nonce }),
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cache-control': 'no-cache',
      ...headers,
    })
    const text = renderShell({
      ...options,
      ...(data.embed !== false && embedOptionsOf(request, options.theme)),
      locale: data.locale,
      nonce,
      base,
      css: page.css,
      script: { ...page, data },
    })
    return sendHtml(request, reply, text)
  }

  const sendUnscripted = (
    request: FastifyRequest,
    reply: FastifyReply,
    page: PlainPage & {
      readonly primaryColor: string
      readonly framers?: Framers | undefined
      readonly starter?: Starter
    },
  ) => {
    const nonce = randomBytes(16).toString('base64url')
    const { starter, body } = page
    const text = renderShell({
      ...page,
      ...(starter && { body: html`${body}<script type="module">${{ html: starter.text }}</script>` }),
      theme: 'auto',
      nonce,
      base,
      ...(page.framers !== undefined && embedOptionsOf(request, 'auto')),
      css:
        built.page('profile', page.locale.language)?.css ??
        ':root{color-scheme:light dark;font:1rem sans-serif}',
    })
    reply.header(
      'content-security-policy',
      policyOf({ nonce, framers: page.framers, ...(starter && { starter }) }),
    )
    return sendHtml(request, reply, text)
  }

  const sendNotice: PageSender['sendNotice'] = (request, reply, locale, notice) => {
    const { status } = notice
    reply.code(status).headers({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-language': locale.language,
    })
    return sendUnscripted(request, reply, {
      title: noticeTitle(locale, status),
      description: '',
      noindex: true,
      locale,
      primaryColor: '',
      // The notice holds nothing private, and a site should see why its widget fails.
      framers: isEmbedded(request) ? 'everyone' : undefined,
      body: paintNotice(base, locale, notice, queryOf(request)),
      ...(queryValues(request).embed === CALCOM && { starter: TELL_STATUS }),
    })
  }

  const embeddingFor: PageSender['embeddingFor'] = (request, framers) => {
    const { embed, embed_domain: domain } = queryValues(request)
    return (
      isEmbedded(request) && {
        framers,
        ...(embed === CALCOM && { calcom: {} }),
        ...(domain && { calendly: publicUrl }),
      }
    )
  }

  return {
    base,
    localeFor,
    embeddingFor,
    commonFor: (request, { locale, germanAddress }, framers) => ({
      locale: localeFor(request, locale),
      ...(germanAddress === 'du' && { germanAddress }),
      base,
      embed: embeddingFor(request, framers),
    }),
    send,
    sendPlain: (request, reply, page) => {
      reply.headers({ 'referrer-policy': 'strict-origin-when-cross-origin', 'cache-control': 'no-cache' })
      return sendUnscripted(request, reply, { ...page, primaryColor: OWN_COLOUR })
    },
    sendNotice,
  }
}

function localeFor(request: FastifyRequest, own: string): Locale {
  const { lang } = request.query as { readonly lang?: unknown }
  return chooseLocale(typeof lang === 'string' ? lang : undefined, request.headers['accept-language'], own)
}

/** The query of the address, as it was sent. */
const queryOf = ({ url }: FastifyRequest) => url.slice(url.indexOf('?') + 1 || url.length)

/** Whether a browser asks, and not a program. */
export function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const reads = method === 'GET' || method === 'HEAD'
  return reads && !/^\/api(?:[/?]|$)/.test(url) && (headers.accept ?? '').includes('text/html')
}

/** Cal.com's script asks for pages as this kind of embedding. */
const CALCOM = 'cal'

/** The values of the query that were given once. */
const queryValues = ({ query }: FastifyRequest) =>
  Object.fromEntries(
    Object.entries(query as Record<string, unknown>).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )

/** In a frame of our script, of Cal.com's, or of Calendly's. */
export function isEmbedded(request: FastifyRequest): boolean {
  const { embed, embed_domain: domain = '' } = queryValues(request)
  return embed === '1' || embed === CALCOM || domain !== ''
}

/** How the embedding site wants the page to look. */
function embedOptionsOf(request: FastifyRequest, own: Scheduler['theme']) {
  const query = queryValues(request)
  const surface = surfaceOf(query.background_color, query.text_color)
  // A frame that our script did not make can't know the site around it, and most sites have no dark theme.
  const unasked = own === 'auto' ? 'light' : own
  const accent = readColour(query.primary_color)
  return {
    theme: surface?.theme ?? THEMES.find((known) => known === query.theme) ?? unasked,
    embedded: {
      hide: [
        ...(query.hide === 'details' || query.hide_event_type_details === '1' ? ['details'] : []),
        ...(query.hide_landing_page_details === '1' ? ['profile'] : []),
      ],
      surface,
    },
    ...(accent !== undefined && { primaryColor: accent }),
  }
}

async function sendHtml(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').header('vary', 'accept, accept-language')
  return reply.send(await compressAnswer(request, reply, text))
}
