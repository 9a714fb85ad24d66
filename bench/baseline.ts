// What the service is compared with: plain node:http servers that do the least that could be called
// the same work. Runs in its own process; the first question says what to serve.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { answerParent } from './child.ts'

export type Baseline =
  /** Answers every request with these bytes. */
  | { readonly kind: 'bytes'; readonly base64: string }
  /** Parses the body and commits one durable row. */
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly poolSize: number }

interface Guest {
  readonly startTime: string
  readonly endTime: string
  readonly inviteeName: string
  readonly inviteeEmail: string
  readonly inviteeTimezone: string
}

/** May return a promise. */
type InsertRow = (id: string, guest: Guest) => unknown

const TABLE = `create table plain (
  id text primary key, starts_at text not null, ends_at text not null,
  name text not null, email text not null, time_zone text not null)`

answerParent(async (baseline: Baseline) => {
  const server = createServer(await listenerFor(baseline)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port }
})

async function listenerFor(baseline: Baseline): Promise<RequestListener> {
  if (baseline.kind === 'bytes') return sendBytes(Buffer.from(baseline.base64, 'base64'))
  return insertRows(baseline.kind === 'sqlite' ? openSqlite(baseline.path) : await openPostgres(baseline))
}

function sendBytes(bytes: Buffer): RequestListener {
  return (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': bytes.length,
    })
    response.end(bytes)
  }
}

function insertRows(insert: InsertRow): RequestListener {
  return (request, response) => {
    readBody(request, async (text) => {
      try {
        const guest = JSON.parse(text) as Guest
        const id = randomUUID()
        await insert(id, guest)
        answer(response, 201, JSON.stringify({ id, ...guest }))
      } catch (error) {
        answer(response, 500, String(error))
      }
    })
  }
}

function readBody(request: IncomingMessage, then: (text: string) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => then(Buffer.concat(chunks).toString()))
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

function openSqlite(path: string): InsertRow {
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec(TABLE)
  const statement = database.prepare('insert into plain values (?, ?, ?, ?, ?, ?)')
  return (id, guest) => statement.run(id, ...columnsOf(guest))
}

async function openPostgres({ url, poolSize }: { url: string; poolSize: number }): Promise<InsertRow> {
  const pool = new pg.Pool({ connectionString: url, max: poolSize })
  await pool.query(TABLE)
  return (id, guest) =>
    pool.query({
      name: 'insert',
      text: 'insert into plain values ($1, $2, $3, $4, $5, $6)',
      values: [id, ...columnsOf(guest)],
    })
}

function columnsOf({ startTime, endTime, inviteeName, inviteeEmail, inviteeTimezone }: Guest): string[] {
  return [startTime, endTime, inviteeName, inviteeEmail, inviteeTimezone]
}
