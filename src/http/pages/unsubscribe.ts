import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { tellIn } from '../../domain/tell.ts'
import { html } from '../../format/text/html.ts'
import type { Context } from '../../services/context.ts'
import { readUnsubscribeLink, unsubscribe } from '../../services/messages/unsubscribe.ts'
import { readTexts } from '../../texts/read.ts'
import { frame } from './first-paint.ts'
import { type PageSender, PRIVATE } from './page-sender.ts'

interface Options {
  readonly context: Context
  readonly pages: PageSender
}

/** Longer than any slug, so that the pages of a user with this old slug stay where they are. */
const PATH = '/unsubscribe/:token(^[A-Za-z0-9_-]{100,200}$)'

const HIDDEN = { schema: { hide: true } }

type Asked = FastifyRequest<{ Params: { readonly token: string } }>

/** Where readers end mail that is not about a coming meeting. Opening the page changes nothing: mail programs do that. */
export const unsubscribeRoutes: FastifyPluginAsync<Options> = async (app, { context, pages }) => {
  // A form, and the one click of a mail program (RFC 8058), come in this type. What they say does not matter.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, _body, done) => done(null, undefined),
  )
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => {
    payload.resume().on('end', () => done(null, undefined))
  })
  app.get(PATH, HIDDEN, (request: Asked, reply) => answer(context, pages, request, reply))
  app.post(PATH, HIDDEN, async (request: Asked, reply) => {
    await unsubscribe(context, request.params.token)
    return answer(context, pages, request, reply)
  })
}

async function answer(context: Context, pages: PageSender, request: Asked, reply: FastifyReply) {
  const { scheduler } = await readUnsubscribeLink(context, request.params.token)
  const locale = pages.localeFor(request, scheduler.locale)
  const words = readTexts(locale.language, 'server-pages').unsubscribe
  const tell = tellIn(locale.tag)
  const { name } = scheduler
  const isDone = request.method === 'POST'
  const title = isDone ? words.done : tell(words.title, { name })
  const content = isDone
    ? html`<p>${tell(words.after, { name })}</p>`
    : html`<p>${tell(words.what, { name })}</p>
<form method="post"><button class="button" type="submit">${words.button}</button></form>`
  await pages.sendPlain(request, reply.headers(PRIVATE), {
    title,
    description: '',
    noindex: true,
    locale,
    body: frame(
      pages.base,
      html`<main class="card notice"><h1>${title}</h1>${content}</main>`,
      locale.language,
      '',
    ),
  })
  return reply
}
