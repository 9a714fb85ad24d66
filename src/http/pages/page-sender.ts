import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Framers } from '../../domain/event-types/framing.ts'
import { chooseLocale, type Locale, wordingOf } from '../../domain/languages.ts'
import { type Scheduler, THEMES } from '../../domain/people/scheduler.ts'
import { english } from '../../domain/sentence.ts'
import { compressAnswer } from '../compression.ts'
import type { BuiltPages } from './built-pages.ts'
import { type Notice, noticeTitle, paintNotice } from './notice.ts'
import type { CommonData, PageData } from './page-data.ts'
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
    page: PlainPage & { readonly primaryColor: string; readonly framers?: Framers | undefined },
  ) => {
    const nonce = randomBytes(16).toString('base64url')
    const text = renderShell({
      ...page,
      theme: 'auto',
      nonce,
      base,
      ...(page.framers !== undefined && embedOptionsOf(request, 'auto')),
      css:
        built.page('profile', page.locale.language)?.css ??
        ':root{color-scheme:light dark;font:1rem sans-serif}',
    })
    reply.header('content-security-policy', policyOf({ nonce, framers: page.framers }))
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
    })
  }

  return {
    base,
    localeFor,
    commonFor: (request, { locale, germanAddress }, framers) => ({
      locale: localeFor(request, locale),
      ...(germanAddress === 'du' && { germanAddress }),
      base,
      embed: isEmbedded(request) && { framers },
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

export function isEmbedded({ query }: FastifyRequest): boolean {
  return (query as { readonly embed?: unknown }).embed === '1'
}

/** How the embedding site wants the page to look. */
function embedOptionsOf({ query }: FastifyRequest, own: Scheduler['theme']) {
  const { theme, hide } = query as { readonly theme?: unknown; readonly hide?: unknown }
  // A frame that our script did not make can't know the site around it, and most sites have no dark theme.
  const unasked = own === 'auto' ? 'light' : own
  return {
    theme: THEMES.find((known) => known === theme) ?? unasked,
    embedded: { hideDetails: hide === 'details' },
  }
}

async function sendHtml(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').header('vary', 'accept, accept-language')
  return reply.send(await compressAnswer(request, reply, text))
}
