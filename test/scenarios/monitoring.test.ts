import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { addEventType, addUser, bookingOf, fromSomeoneNew } from '../kit.ts'
import { readSamples, type Sample } from '../prometheus.ts'
import {
  alwaysOpen,
  connectTo,
  FUTURE_MIDNIGHT,
  freshHome,
  type Home,
  type ServerProcess,
  startServer,
} from '../server-process.ts'

const deploy = (name: string) => readFile(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')

const TOKEN = 'a-token-for-the-monitoring'
/** What Prometheus itself adds to every metric. */
const ADDED = ['instance', 'job']
/** What is counted in the database, in turn. */
const SAMPLED = ['punctual_outbox_due_jobs', 'punctual_attention_items']

/** The metrics of an expression, each with the labels that it is chosen by. */
function metricsOf(expression: string): { name: string; labels: string[] }[] {
  return [...expression.matchAll(/\b(punctual_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', selector = '']) => ({
      name,
      labels: [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }),
  )
}

/** The labels that an expression groups by. */
function groupsOf(expression: string): string[] {
  return [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/\s*,\s*/))
}

describe('dashboard and alerts', () => {
  let home: Home
  let server: ServerProcess
  let folder: string
  let samples: Sample[]
  before(async () => {
    home = await freshHome('postgres')
    folder = await mkdtemp(join(tmpdir(), 'punctual-monitoring-'))
    const ada = await addUser(home.db, 'ada', alwaysOpen)
    const eventType = await addEventType(home.db, ada, { slug: 'intro' })
    server = await startServer(home, {
      METRICS_TOKEN: TOKEN,
      DATA_DIR: folder,
      BACKUP_EVERY: '24h',
    })
    const client = connectTo(server)
    assert.equal((await client.post('/api/hooks/google', {}, fromSomeoneNew())).status, 404)
    const body = bookingOf(eventType, FUTURE_MIDNIGHT)
    for (const status of [201, 400]) {
      const answer = await client.post('/api/public/scheduling/ada/intro/book', body, fromSomeoneNew())
      assert.equal(answer.status, status)
    }
    client.close()
    do {
      await sleep(10)
      const headers = { authorization: `Bearer ${TOKEN}` }
      const response = await fetch(`http://127.0.0.1:${server.port}/metrics`, { headers })
      samples = readSamples(await response.text())
      // The first samples of the database may still be running.
    } while (!SAMPLED.every((sampled) => samples.some(({ name }) => name === sampled)))
  })
  after(async () => {
    server?.send('SIGTERM')
    await server?.exited
    await home?.remove()
    await rm(folder, { recursive: true, force: true })
  })

  function check(expression: string): void {
    const metrics = metricsOf(expression)
    assert.ok(metrics.length > 0, expression)
    const known = new Set(ADDED)
    for (const { name, labels } of metrics) {
      const found = samples.find((sample) => sample.name === name)
      assert.ok(found, `${name} does not exist: ${expression}`)
      for (const label of Object.keys(found.labels)) known.add(label)
      for (const label of labels) assert.ok(label in found.labels, `${name} has no ${label}: ${expression}`)
    }
    for (const label of groupsOf(expression)) assert.ok(known.has(label), `no ${label}: ${expression}`)
  }

  it('name metrics and labels that an instance has: the alerts', async () => {
    const { groups } = parse(await deploy('alerts.yaml'))
    const rules = groups.flatMap((group: { rules: unknown[] }) => group.rules)
    assert.ok(rules.length > 5)
    for (const { alert, expr, labels, annotations } of rules) {
      assert.match(alert, /^Punctual[A-Z]\w+$/)
      assert.match(labels.severity, /^(?:critical|warning)$/)
      assert.ok(annotations.summary && annotations.description, alert)
      check(expr)
    }
  })

  it('name metrics and labels that an instance has: the dashboard', async () => {
    const { panels } = JSON.parse(await deploy('grafana-dashboard.json'))
    const ids = panels.map(({ id }: { id: number }) => id)
    assert.equal(new Set(ids).size, ids.length)
    const expressions: string[] = panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    )
    assert.ok(expressions.length > 15)
    for (const expression of expressions) check(expression)
  })

  it('cover all of our metrics', async () => {
    const text = (await deploy('alerts.yaml')) + (await deploy('grafana-dashboard.json'))
    const ours = new Set(
      samples
        .map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, ''))
        .filter((name) => {
          return !/^punctual_(?:nodejs|process)_|_sampled_timestamp_/.test(name)
        }),
    )
    for (const name of ours) assert.ok(text.includes(name), name)
  })
})
