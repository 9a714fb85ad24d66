import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseDocument } from 'yaml'
import { readDockerfile } from '../dockerfile.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, '.github', 'workflows')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly name: string
  readonly engines: { readonly node: string }
  readonly scripts: Readonly<Record<string, string>>
}

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly needs?: string | readonly string[]
  readonly uses?: string
  readonly 'runs-on'?: string
  readonly strategy?: {
    readonly matrix: {
      readonly runner?: readonly string[]
      readonly include?: readonly { readonly runner: string; readonly platform: string }[]
    }
  }
  readonly permissions: Readonly<Record<string, string>>
  readonly 'timeout-minutes'?: number
  readonly steps?: readonly Step[]
}

interface Workflow {
  readonly on: Readonly<
    Record<string, { readonly tags?: readonly string[]; readonly branches?: readonly string[] } | null>
  >
  readonly permissions: object
  readonly jobs: Readonly<Record<string, Job>>
}

function readWorkflow(name: string): Workflow {
  const document = parseDocument(readFileSync(join(FOLDER, name), 'utf8'))
  assert.deepEqual([...document.errors, ...document.warnings], [])
  return document.toJS()
}

const tests = readWorkflow('ci.yml')
const release = readWorkflow('release.yml')
const jobs = [tests, release].flatMap((workflow) => Object.entries(workflow.jobs))
const steps = jobs.flatMap(([, job]) => job.steps ?? [])
const commands = steps.flatMap(({ run }) => run ?? [])

describe('the workflows', () => {
  it('are these two', () => {
    assert.deepEqual(readdirSync(FOLDER).toSorted(), ['ci.yml', 'release.yml'])
  })

  it('give each job no more rights than it needs, and an end', () => {
    for (const workflow of [tests, release]) assert.deepEqual(workflow.permissions, {})
    assert.deepEqual(Object.fromEntries(jobs.map(([name, job]) => [name, job.permissions])), {
      check: { contents: 'read' },
      test: { contents: 'read' },
      package: { contents: 'read', 'id-token': 'write' },
      image: { contents: 'read', packages: 'write' },
      'image-for-all': { packages: 'write' },
    })
    for (const [name, job] of jobs) assert.ok(job.uses ?? job['timeout-minutes'], name)
  })

  it('use only actions of GitHub itself, by commit, and leave no token behind', () => {
    for (const { uses, with: given } of steps) {
      if (uses === undefined) continue
      assert.match(uses, /^actions\/[\w-]+@[0-9a-f]{40}$/)
      if (uses.startsWith('actions/checkout@')) assert.equal(given?.['persist-credentials'], false)
    }
  })

  it('put nothing that others write into a command', () => {
    for (const command of commands) assert.doesNotMatch(command, /\$\{\{/)
  })

  it('have commands that a shell understands, and that are there', () => {
    for (const command of commands) {
      execFileSync('sh', ['-n'], { input: command })
      for (const [, script = ''] of command.matchAll(/\bnpm (?:run )?(test|[\w-]+(?<=run [\w-]+))\b/g)) {
        assert.ok(script in manifest.scripts, script)
      }
      for (const [path] of command.matchAll(/\btools\/[\w.-]+/g))
        assert.ok(existsSync(join(ROOT, path)), path)
      for (const [, name] of command.matchAll(/([\w-]+)-\*\.tgz/g)) assert.equal(name, manifest.name)
    }
  })

  it('test on both processors, with the oldest Node that may start it, and the whole history', () => {
    const { test } = tests.jobs
    assert.deepEqual(test?.strategy?.matrix.runner, ['ubuntu-24.04', 'ubuntu-24.04-arm'])
    assert.deepEqual(
      test?.steps?.map(({ run, with: given }) => run ?? given?.['node-version'] ?? given?.['fetch-depth']),
      [0, Number(/\d+/.exec(manifest.engines.node)?.[0]), 'npm test'],
    )
    assert.ok('push' in tests.on && 'pull_request' in tests.on && 'workflow_call' in tests.on)
  })
})

describe('the release workflow', () => {
  const run = (name: string) => release.jobs[name]?.steps?.flatMap((step) => step.run ?? []).join('\n') ?? ''

  it('starts with a tag alone, and publishes nothing before tag and tests were checked', () => {
    assert.deepEqual(release.on, { push: { tags: ['v*'] } })
    assert.match(run('check'), /tools\/check-release\.ts "\$GITHUB_REF_NAME"/)
    assert.equal(release.jobs.test?.uses, './.github/workflows/ci.yml')
    assert.deepEqual(release.jobs.package?.needs, ['check', 'test'])
    assert.deepEqual(release.jobs.image?.needs, ['check', 'test'])
    assert.equal(release.jobs['image-for-all']?.needs, 'image')
  })

  it('publishes the package that it has tried, and says where it was made', () => {
    const order = ['npm pack', 'npx --yes ./punctual-*.tgz', '/healthz', 'npm publish ./punctual-*.tgz']
    const places = order.map((text) => run('package').indexOf(text))
    assert.ok(
      places.every((place, index) => place > (places[index - 1] ?? -1)),
      String(places),
    )
    assert.match(run('package'), /npm publish .*--provenance/)
    assert.match(run('package'), /npm pkg set .*repository\.url=git\+/)
  })

  it('builds the image on the processor that it is for', () => {
    assert.deepEqual(release.jobs.image?.strategy?.matrix.include, [
      { runner: 'ubuntu-24.04', platform: 'linux/amd64' },
      { runner: 'ubuntu-24.04-arm', platform: 'linux/arm64' },
    ])
    for (const architecture of ['amd64', 'arm64']) {
      assert.ok(run('image-for-all').includes(`"$name:$version-${architecture}"`))
    }
  })

  it('gives the image what the Dockerfile asks for', () => {
    const stages = readDockerfile(join(ROOT, 'Dockerfile'))
    const asked = stages.flatMap((stage) => stage.steps).filter(({ name }) => name === 'ARG')
    const given = [...run('image').matchAll(/--build-arg "(\w+)=/g)].map(([, name]) => name)
    assert.equal(given.length, 2)
    assert.deepEqual(new Set(given), new Set(asked.map(({ args }) => args)))
  })
})
