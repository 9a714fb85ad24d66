import type { McpServer } from '@modelcontextprotocol/server'
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { Context } from '../../services/context.ts'
import { type Document, publicPart } from '../docs/openapi.ts'
import { clientAddress } from '../gate.ts'
import { sendRefusal } from '../problems.ts'
import { type ObjectSchema, type Tool, toolsOf } from './mcp-tools.ts'

type Sdk = typeof import('@modelcontextprotocol/server')

const ABOUT = [
  'Books meetings with the hosts of this Punctual instance, without an account.',
  'Call list_event_types with the slug from the host’s link, then find_slots, then book.',
  'If a CAPTCHA is required, the guide of the event type (guideUrl) explains how a program solves it.',
  'Book only for people who asked for it, and use their own name and email address: they are notified by email.',
].join(' ')

/**
 * The public API as MCP tools: streamable HTTP, one request at a time, no sessions.
 *
 * Tools call the routes of the public API from inside the process, so that validation, rate limits and response filters
 * are the same for both.
 */
export const mcpRoutes: FastifyPluginAsync<{ readonly context: Context }> = async (app, { context }) => {
  const schema = { hide: true }
  const origin = new URL(context.publicUrl).origin
  let sdk: Promise<Sdk> | undefined
  let tools: readonly Tool[] | undefined

  // Otherwise any website could reach a service inside its visitor's network through the visitor's browser.
  app.addHook('onRequest', async (request) => {
    const from = request.headers.origin
    if (from !== undefined && from !== origin) {
      throw new Problem('forbidden', sentence`Pages of other origins cannot use this endpoint.`)
    }
  })

  app.post('/mcp', { schema }, async (request, reply) => {
    if (Array.isArray(request.body))
      throw new Problem('invalid', sentence`Send one message at a time, not an array.`)
    // The SDK takes tens of megabytes and most of a second, so it is loaded for the first message.
    sdk ??= import('@modelcontextprotocol/server')
    tools ??= toolsOf(publicPart(app.swagger() as unknown as Document))
    const { createMcpHandler, McpServer } = await sdk
    const handler = createMcpHandler(
      () => serverWith(McpServer, tools as readonly Tool[], (tool, given) => use(app, request, tool, given)),
      // The list of tools never changes, so there is nothing to subscribe to.
      { maxSubscriptions: 0, onerror: (error) => request.log.debug(error) },
    )
    reply.header('cache-control', 'no-store')
    const answer = await handler.fetch(toWebRequest(request, context.publicUrl), { parsedBody: request.body })
    // Our server decides whether a connection stays open: it may be about to stop.
    answer.headers.delete('connection')
    return answer
  })

  // Without sessions, there is nothing to listen to or to end.
  const onlyPost = (request: FastifyRequest, reply: FastifyReply) =>
    sendRefusal(request, reply.header('allow', 'POST'), 405, sentence`Send MCP messages by POST.`)
  app.get('/mcp', { schema }, onlyPost)
  app.delete('/mcp', { schema }, onlyPost)
}

type Use = (tool: Tool, given: Readonly<Record<string, unknown>>) => Promise<ToolResult>

interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  [key: string]: unknown
}

function serverWith(Server: Sdk['McpServer'], tools: readonly Tool[], use: Use): McpServer {
  const server = new Server(
    { name: 'punctual', title: 'Punctual', version: '1.0.0' },
    { instructions: ABOUT, capabilities: { tools: { listChanged: false } } },
  )
  for (const tool of tools) {
    const { name, title, description, annotations } = tool
    server.registerTool(
      name,
      {
        title,
        description,
        annotations,
        inputSchema: described(tool.inputSchema),
        outputSchema: described(tool.outputSchema),
      },
      (given) => use(tool, given as Readonly<Record<string, unknown>>),
    )
  }
  return server
}

/** A schema that is shown but not checked here: the routes check, with the same messages as the API. */
const described = (schema: ObjectSchema) => {
  const show = () => ({ ...schema }) as Record<string, unknown>
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'punctual',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: show, output: show },
    },
  }
}

async function use(
  app: FastifyInstance,
  request: FastifyRequest,
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const missing = tool.needs.find((name) => given[name] === undefined)
  if (missing !== undefined) return refusal([`${missing} is required.`, tool.hint])
  const { method, url, headers, body } = tool.callFor(given)
  const asked = app.inject({
    method,
    url,
    headers,
    // Rate limits count the MCP client, not this process.
    remoteAddress: clientAddress(request),
    ...(body !== undefined && { payload: body }),
  })
  const answer = await asked.catch((error: FastifyError) => {
    if (error.code !== 'FST_ERR_REOPENED_CLOSE_SERVER') throw error
    return undefined
  })
  if (answer === undefined) return refusal(['The service is shutting down. Please try again in a moment.'])
  if (answer.statusCode >= 400) return refusal([(answer.json() as { error: string }).error, tool.hint])
  const { location } = answer.headers
  const result = tool.resultOf({
    body: answer.json(),
    location: typeof location === 'string' ? location : undefined,
  })
  return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result }
}

const refusal = (sentences: readonly string[]): ToolResult => ({
  content: sentences.filter((text) => text !== '').map((text) => ({ type: 'text', text })),
  isError: true,
})

/** The request as the SDK takes it, without the body, which has been read already. */
function toWebRequest({ headers }: FastifyRequest, publicUrl: string): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return new Request(`${publicUrl}/mcp`, { method: 'POST', headers: given })
}
