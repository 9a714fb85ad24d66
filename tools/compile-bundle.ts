// Runs the bundle, asks it what its first guest asks, and keeps the code that V8 has compiled by then. bundle.ts starts this,
// with settings for an empty data folder.

import { renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Script } from 'node:vm'
import { SERVER } from './stamps.mjs'

const DAY = 86_400_000

const { script, firstLine } = createRequire(import.meta.url)('./run-bundle.cjs') as {
  readonly script: Script
  readonly firstLine: string
}
const address = `http://127.0.0.1:${process.env.PORT}`
const host = '/api/public/scheduling/demo'

while (!(await answers())) await sleep(20)
await ask(host)
await ask('/demo/intro')
const dates = [2, 30].map((days) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10))
const slots = await ask(`${host}/intro/slots?dateFrom=${dates[0]}&dateTo=${dates[1]}&timezone=Europe/Berlin`)
const [slot] = ((await slots.json()) as { slots: object[] }[]).flatMap((day) => day.slots)
await ask(`${host}/intro/book`, {
  ...slot,
  inviteeName: 'Ada Guest',
  inviteeEmail: 'ada@example.org',
  inviteeTimezone: 'Europe/Berlin',
})

const path = join(fileURLToPath(new URL('..', import.meta.url)), SERVER.compiled)
writeFileSync(`${path}.new`, Buffer.concat([Buffer.from(firstLine), script.createCachedData()]))
// A service that starts meanwhile reads all of it or nothing.
renameSync(`${path}.new`, path)
process.exit()

async function answers(): Promise<boolean> {
  try {
    return (await fetch(`${address}/readyz`)).ok
  } catch {
    return false
  }
}

async function ask(path: string, body?: object): Promise<Response> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(`${address}${path}`, body && init)
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  return response
}
