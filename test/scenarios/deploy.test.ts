import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { READY_WITHIN } from '../../src/services/workspace/checks/readiness.ts'
import { readSettings, VARIABLES } from '../../src/settings.ts'
import { freshHome, startServer } from '../server-process.ts'

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url))
const KNOWN = new Set<string>(Object.values(VARIABLES).map(({ name }) => name))

/** What a stop takes at most, after the drain. */
const STOP_SECONDS = 20

// biome-ignore lint/suspicious/noExplicitAny: each test knows what is in its file
function readYaml(path: string): any[] {
  return parseAllDocuments(readFileSync(join(deploy, path), 'utf8')).map((document) => {
    assert.deepEqual([...document.errors, ...document.warnings], [])
    return document.toJS()
  })
}

function checkSettings(settings: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(settings)) {
    assert.ok(KNOWN.has(name), name)
    assert.equal(typeof value, 'string', name)
  }
  return readSettings(settings)
}

describe('the compose file', () => {
  const [file] = readYaml('compose.yaml')
  const { punctual, database } = file.services

  const given = {
    PUBLIC_URL: 'https://book.example.com',
    POSTGRES_PASSWORD: 'secret',
    JWT_SECRET: 'what-openssl-rand-would-have-printed',
  }
  // `${NAME:?why}` must be given, `${NAME:-value}` need not.
  const fill = (text: string) =>
    text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: keyof typeof given, sign, value) =>
      sign === '-' ? value : (given[name] ?? assert.fail(`${name} is not given`)),
    )
  const environment = Object.fromEntries(
    Object.entries<string>(punctual.environment).map(([name, value]) => [name, fill(value)]),
  )

  it('builds this project, with settings that exist', () => {
    assert.ok(existsSync(join(deploy, punctual.build, 'Dockerfile')))
    const { databaseUrl, publicUrl, jwtSecret } = checkSettings(environment)
    assert.equal(jwtSecret, given.JWT_SECRET)
    assert.equal(publicUrl, given.PUBLIC_URL)
    const url = new URL(databaseUrl)
    const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = database.environment
    assert.deepEqual(
      [url.hostname, url.username, url.pathname],
      ['database', POSTGRES_USER, `/${POSTGRES_DB}`],
    )
    assert.equal(url.password, fill(POSTGRES_PASSWORD))
  })

  it('waits for the database, writes only to its volume, and has time to stop', () => {
    assert.equal(punctual.depends_on.database.condition, 'service_healthy')
    assert.ok(Array.isArray(database.healthcheck.test))
    assert.equal(punctual.read_only, true)
    for (const volume of [...punctual.volumes, ...database.volumes]) {
      assert.ok(volume.split(':')[0] in file.volumes, volume)
    }
    assert.ok(Number.parseInt(punctual.stop_grace_period, 10) > STOP_SECONDS)
  })

  it('lets no client choose the address that it is counted by, in any network', async () => {
    await checkTrust(environment.TRUST_PROXY)
  })
})

/** Starts a server that trusts these proxies, and is asked by one that appends the client's address, as most do. */
async function checkTrust(trustProxy: string | undefined): Promise<void> {
  assert.ok(trustProxy)
  const home = await freshHome('sqlite')
  const server = await startServer(home, { TRUST_PROXY: trustProxy })
  const remaining = async (client: string, claimed: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/public/erasures`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `${claimed}${client}` },
      body: '{}',
    })
    await response.arrayBuffer()
    return Number(response.headers.get('ratelimit-remaining'))
  }
  try {
    for (const client of ['192.168.1.20', '10.0.3.4', 'fd00::20', '203.0.113.9']) {
      const first = await remaining(client, '')
      assert.equal(await remaining(client, '198.51.100.1, '), first - 1, client)
      assert.equal(await remaining(client, '198.51.100.2, 10.9.9.9, '), first - 2, client)
    }
  } finally {
    server.send('SIGTERM')
    await server.exited
    await home.remove()
  }
}

describe('the file for HAProxy', () => {
  const file = readFileSync(join(deploy, 'haproxy.cfg'), 'utf8')

  it('waits for `/readyz` for longer than it may take', () => {
    assert.match(file, /http-check send meth GET uri \/readyz/)
    const seconds = Number(/^ *timeout check (\d+)s$/m.exec(file)?.[1])
    assert.ok(seconds * 1000 > READY_WITHIN, `timeout check is ${seconds} s`)
  })
})

describe('the Kubernetes files', () => {
  const folder = join(deploy, 'kubernetes')
  const names = readdirSync(folder).filter((name) => name !== 'kustomization.yaml')
  const documents = names.flatMap((name) => readYaml(join('kubernetes', name)))
  const find = (kind: string) => documents.find((document) => document.kind === kind)
  const deployment = find('Deployment')
  const pod = deployment.spec.template.spec
  const [container] = pod.containers
  const environment = { ...find('ConfigMap').data, ...find('Secret').stringData }

  it('are all applied', () => {
    const [kustomization] = readYaml('kubernetes/kustomization.yaml')
    assert.deepEqual(kustomization.resources.toSorted(), names.toSorted())
    assert.deepEqual([kustomization.images[0].name], [container.image])
    for (const { apiVersion, kind, metadata } of documents) {
      assert.ok(apiVersion && kind && metadata.name, JSON.stringify(metadata))
    }
  })

  it('speak of the same pods', () => {
    const { labels } = deployment.spec.template.metadata
    for (const selector of [
      deployment.spec.selector.matchLabels,
      find('Service').spec.selector,
      find('PodDisruptionBudget').spec.selector.matchLabels,
      pod.topologySpreadConstraints[0].labelSelector.matchLabels,
    ]) {
      assert.deepEqual(selector, labels)
    }
    const references = container.envFrom.map(
      (from: Record<string, { name: string }>) => Object.values(from)[0]?.name,
    )
    assert.deepEqual(references, [
      find('ConfigMap').metadata.name,
      find('Secret').metadata.name,
      'punctual-jwt',
    ])
  })

  it('let no client choose the address that it is counted by, in any network', async () => {
    await checkTrust(environment.TRUST_PROXY)
  })

  it('have no signing secret that everyone knows, and say how to make one', () => {
    assert.deepEqual(
      Object.keys(environment).filter((name) => name.startsWith('JWT')),
      [],
    )
    const text = readFileSync(join(folder, 'settings.yaml'), 'utf8')
    assert.match(text, /kubectl create secret generic punctual-jwt --from-literal=JWT_SECRET=/)
  })

  it('have settings that exist, and ports that match', () => {
    const { port, metricsPort } = checkSettings(environment)
    const ports = Object.fromEntries(
      container.ports.map(({ name, containerPort }: { name: string; containerPort: number }) => [
        name,
        containerPort,
      ]),
    )
    assert.deepEqual(ports, { http: port, metrics: metricsPort })
    const annotations = deployment.spec.template.metadata.annotations
    assert.equal(annotations['prometheus.io/port'], String(metricsPort))
    assert.equal(find('Service').spec.ports[0].targetPort, 'http')
  })

  it('run three instances, and never stop two on purpose', () => {
    assert.equal(deployment.spec.replicas, 3)
    assert.deepEqual(deployment.spec.strategy.rollingUpdate, { maxSurge: 1, maxUnavailable: 0 })
    assert.equal(find('PodDisruptionBudget').spec.maxUnavailable, 1)
  })

  it('probe the right paths, and kill no instance if the database is unreachable', () => {
    const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map(
      (probe) => container[probe].httpGet.path,
    )
    assert.deepEqual(paths, ['/healthz', '/healthz', '/readyz'])
    assert.ok(container.readinessProbe.timeoutSeconds * 1000 > READY_WITHIN)
  })

  it('have time to drain and to stop', () => {
    const { drainSeconds } = checkSettings(environment)
    const { periodSeconds, failureThreshold } = container.readinessProbe
    assert.ok(drainSeconds >= periodSeconds * failureThreshold)
    assert.ok(pod.terminationGracePeriodSeconds > drainSeconds + STOP_SECONDS)
  })

  it('run without privileges, on a read-only root file system', () => {
    assert.equal(pod.securityContext.runAsNonRoot, true)
    assert.equal(container.securityContext.readOnlyRootFilesystem, true)
    assert.deepEqual(container.securityContext.capabilities.drop, ['ALL'])
    assert.equal(container.volumeMounts[0].mountPath, '/data')
  })
})
