import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { parse } from 'yaml'
import { MAX_IMAGE_BYTES } from '../../src/domain/people/image.ts'
import { readSettings, VARIABLES } from '../../src/settings.ts'
import { openDatabase } from '../../src/store/engine/open-database.ts'
import { readRelease } from '../../src/version.ts'
import { type AppUnderTest, appOn } from '../kit.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const manifest = JSON.parse(read('package.json')) as { name: string; bin: Record<string, string> }

const unit = readUnit(read('deploy/punctual.service'))
const { NODE_COMPILE_CACHE, ...environment } = Object.fromEntries(
  (unit.Environment ?? [])
    .flatMap((line) => line.split(' '))
    .map((pair) => pair.split('=') as [string, string]),
)
const PUBLIC_URL = 'https://book.example.com'
const settings = readSettings({ ...environment, PUBLIC_URL })

/** What a stop takes at most, after the drain. */
const STOP_SECONDS = 20
/** A booking that waits for a synchronous standby is answered after 20 seconds: no answer takes longer. */
const LONGEST_ANSWER_SECONDS = 20
/** Pictures are sent in JSON, as base64, and refused with a sentence up to this size. */
const LARGEST_BODY = 4 * MAX_IMAGE_BYTES

/** All values of each key, without the sections. */
function readUnit(text: string): Record<string, string[]> {
  const values: Record<string, string[]> = {}
  for (const line of text.split('\n')) {
    const [, key, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (key !== undefined) values[key] = [...(values[key] ?? []), value]
  }
  return values
}

/** The numbers that follow a directive, in order. */
function numbersOf(text: string, pattern: string): number[] {
  return [...text.matchAll(new RegExp(`^\\s*${pattern}`, 'gm'))].map(([, value]) => Number(value))
}

describe('the systemd unit', () => {
  it('starts the command of this package, with settings that exist', () => {
    const [program = ''] = unit.ExecStart ?? []
    assert.ok(program.endsWith(`/node_modules/.bin/${Object.keys(manifest.bin)[0]}`), program)
    assert.ok(read('deploy/punctual.service').includes(`./${manifest.name}-${readRelease().version}.tgz`))
    const known = new Set<string>(Object.values(VARIABLES).map(({ name }) => name))
    for (const name of Object.keys(environment)) assert.ok(known.has(name), name)
    assert.equal(settings.production, true)
  })

  it('writes where systemd lets it', () => {
    assert.deepEqual(unit.ProtectSystem, ['strict'])
    assert.equal(settings.dataDir, `/var/lib/${unit.StateDirectory}`)
    assert.equal(NODE_COMPILE_CACHE, `/var/cache/${unit.CacheDirectory}`)
  })

  it('runs without privileges, and can still compile JavaScript', () => {
    assert.deepEqual([unit.User, unit.CapabilityBoundingSet], [['punctual'], ['']])
    assert.deepEqual(unit.NoNewPrivileges, ['yes'])
    assert.equal(unit.MemoryDenyWriteExecute, undefined)
  })

  it('is reached through a proxy on this machine only, and trusts it', () => {
    assert.equal(settings.host, '127.0.0.1')
    assert.deepEqual(settings.trustProxy, ['127.0.0.1'])
  })

  it('has time to drain and to stop', () => {
    const [seconds] = numbersOf(read('deploy/punctual.service'), 'TimeoutStopSec=(\\d+)$')
    assert.ok((seconds ?? 0) > settings.drainSeconds + STOP_SECONDS)
  })
})

describe('the proxies', () => {
  const nginx = read('deploy/nginx.conf')
  const caddy = read('deploy/Caddyfile')
  let under: AppUnderTest
  let db: ReturnType<typeof openDatabase>
  before(async () => {
    db = openDatabase(':memory:')
    under = await appOn(db)
  })
  after(async () => {
    await under.app.close()
    await db.destroy()
  })

  it('lead to where the unit listens, under one name', () => {
    const address = `${settings.host}:${settings.port}`
    assert.ok(nginx.includes(`server ${address};`))
    assert.ok(caddy.includes(`reverse_proxy ${address} {`))
    const { hostname } = new URL(PUBLIC_URL)
    assert.ok(nginx.includes(`server_name ${hostname};`) && caddy.includes(`\n${hostname} {`))
    for (const text of [nginx, caddy]) {
      assert.ok(text.includes(`TRUST_PROXY=${environment.TRUST_PROXY}`))
      assert.ok(text.includes(`PUBLIC_URL=${PUBLIC_URL}`))
    }
  })

  it('let no client choose the address that it is counted by', () => {
    assert.deepEqual(nginx.match(/X-Forwarded-For \S+;/g), ['X-Forwarded-For $remote_addr;'])
    // Caddy does so unless it is told to trust others.
    assert.doesNotMatch(caddy, /trusted_proxies|header_up/)
  })

  it('tell the service under which name it was asked for', () => {
    assert.match(nginx, /proxy_set_header Host \$host;/)
  })

  it('wait longer than the service takes to answer', () => {
    const waits = [
      ...numbersOf(nginx, 'proxy_read_timeout (\\d+)s;'),
      ...numbersOf(caddy, 'response_header_timeout (\\d+)s$'),
    ]
    assert.equal(waits.length, 2)
    for (const seconds of waits) assert.ok(seconds > LONGEST_ANSWER_SECONDS)
  })

  it('drop idle connections before the service does', () => {
    const idle = [
      ...numbersOf(nginx, 'keepalive_timeout (\\d+)s;'),
      ...numbersOf(caddy, 'keepalive (\\d+)s$'),
    ]
    assert.equal(idle.length, 2)
    const { keepAliveTimeout } = under.app.server
    for (const seconds of idle) assert.ok(seconds * 1000 < keepAliveTimeout)
    for (const text of [nginx, caddy]) assert.ok(text.includes(`the ${keepAliveTimeout / 1000} seconds`))
  })

  it('leave it to the service to refuse large bodies', () => {
    const [megabytes = 0] = numbersOf(nginx, 'client_max_body_size (\\d+)m;')
    assert.ok(megabytes * 1024 * 1024 > LARGEST_BODY)
  })
})

describe('the Ingress', () => {
  const ingress = parse(read('deploy/kubernetes/ingress.yaml'))
  const service = parse(read('deploy/kubernetes/service.yaml'))
  const [{ data }] = read('deploy/kubernetes/settings.yaml')
    .split('\n---\n')
    .map((text) => parse(text))

  it('has the name of PUBLIC_URL, with a certificate for it', () => {
    const { hostname } = new URL(data.PUBLIC_URL)
    assert.deepEqual(
      ingress.spec.rules.map(({ host }: { host: string }) => host),
      [hostname],
    )
    assert.deepEqual(ingress.spec.tls[0].hosts, [hostname])
  })

  it('leads every path to the service', () => {
    const [{ path, pathType, backend }] = ingress.spec.rules[0].http.paths
    assert.deepEqual([path, pathType], ['/', 'Prefix'])
    assert.deepEqual(backend.service, {
      name: service.metadata.name,
      port: { name: service.spec.ports[0].name },
    })
  })

  it('is trusted to say who the client is', () => {
    assert.notEqual(readSettings({ TRUST_PROXY: data.TRUST_PROXY }).trustProxy, false)
  })

  it('comes with an image of this version', () => {
    const { images } = parse(read('deploy/kubernetes/kustomization.yaml'))
    assert.equal(images[0].newTag, readRelease().version)
  })
})
