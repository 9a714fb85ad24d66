import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Instruction, readDockerfile, readEnv, readIgnore, type Stage } from './dockerfile.ts'

const project = fileURLToPath(new URL('..', import.meta.url))
const NPM_CI = fileURLToPath(new URL('npm-ci.ts', import.meta.url))

/** The user `node`: another one than ours if we are root. */
const ACCOUNT = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {}

/** What our Dockerfile makes, as a folder: no container engine is needed to look at it and to run it. */
export interface Image {
  /** What would be `/`, without the base image. */
  readonly folder: string
  readonly bases: readonly string[]
  /** As in the Dockerfile, and as they must be for this folder. */
  readonly settings: Readonly<Record<string, string>>
  readonly environment: Readonly<Record<string, string>>
  readonly workFolder: string
  readonly user: string
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
  readonly exposed: readonly string[]
  readonly volumes: readonly string[]
  /** How a process is started in it: as another account if we are root, so that it cannot write where it must not. */
  readonly account: { readonly uid?: number; readonly gid?: number }
  remove(): Promise<void>
}

/** Carries out the Dockerfile, step by step, each stage in its own folder; `buildArgs` are those of `--build-arg`. */
export async function buildImage(buildArgs: Readonly<Record<string, string>> = {}): Promise<Image> {
  const scratch = await mkdtemp(join(tmpdir(), 'punctual-image-'))
  await chmod(scratch, 0o755)
  const remove = async () => {
    // Read-only files cannot be deleted either.
    await promisify(execFile)('chmod', ['-R', 'u+w', scratch]).catch(() => {})
    await rm(scratch, { recursive: true, force: true })
  }
  try {
    const context = join(scratch, 'context')
    await copyContext(context)
    const base = await makeBase(scratch)
    const stages = readDockerfile(join(project, 'Dockerfile'))
    let result: Built | undefined
    for (const stage of stages) result = await buildStage(stage, scratch, context, { base, buildArgs })
    if (result === undefined) throw new Error('The Dockerfile has no stage')
    // As with a root file system that is mounted read-only.
    await promisify(execFile)('chmod', ['-R', 'a-w', join(result.folder, 'app')])
    return {
      ...result,
      bases: stages.map((stage) => stage.base),
      account: ACCOUNT,
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** What the builder gets to see. */
async function copyContext(folder: string): Promise<void> {
  const isIgnored = readIgnore(await readFile(join(project, '.dockerignore'), 'utf8'))
  await mkdir(folder)
  for (const name of await readdir(project)) {
    if (isIgnored(name)) continue
    await cp(join(project, name), join(folder, name), {
      recursive: true,
      filter: (source) => !isIgnored(source.slice(project.length).replaceAll('\\', '/')),
    })
  }
}

/** Stands in for `node:26-slim`: Node where another account can reach it, npm, and an account called node. */
async function makeBase(scratch: string): Promise<Record<string, string>> {
  const bin = join(scratch, 'base', 'bin')
  await mkdir(bin, { recursive: true })
  await cp(process.execPath, join(bin, 'node'), { dereference: true })
  const script = (name: string, text: string) =>
    writeFile(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  await script('npm', `exec node ${NPM_CI} "$@"`)
  // Only root can give files away, here as in a builder.
  await script(
    'chown',
    `test "$1" = node:node || exit 1\nshift\ntest "$(id -u)" != 0 || command -p chown 1000:1000 "$@"`,
  )
  const { LD_LIBRARY_PATH = '' } = process.env
  const libraries = join(scratch, 'base', 'lib')
  for (const folder of LD_LIBRARY_PATH.split(':').filter(Boolean))
    await cp(folder, libraries, { recursive: true })
  return {
    PATH: `${bin}:/usr/bin:/bin`,
    ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH: libraries }),
  }
}

type Built = Omit<Image, 'remove' | 'account' | 'bases'>

async function buildStage(
  stage: Stage,
  scratch: string,
  context: string,
  { base, buildArgs }: Readonly<Record<'base' | 'buildArgs', Readonly<Record<string, string>>>>,
): Promise<Built> {
  const folder = join(scratch, 'stages', stage.name)
  await mkdir(folder, { recursive: true })
  const within = (path: string) => join(folder, path)
  let [workFolder, user, command, healthCheck] = ['/', 'root', [] as string[], [] as string[]]
  let settings: Record<string, string> = {}
  // Only what the stage asks for reaches it, and it does not stay in the image.
  const given: Record<string, string> = {}
  const [exposed, volumes]: [string[], string[]] = [[], []]
  const environment = () => ({
    ...base,
    ...Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, value.startsWith('/') ? within(value) : value]),
    ),
  })
  const steps: Record<string, (args: string) => void | Promise<void>> = {
    async WORKDIR(args) {
      workFolder = args
      await mkdir(within(args), { recursive: true })
    },
    ENV(args) {
      settings = { ...settings, ...readEnv(args) }
    },
    ARG(args) {
      given[args] = buildArgs[args] ?? ''
    },
    COPY: (args) =>
      copy(args, within(workFolder), (name) => (name ? join(scratch, 'stages', name) : context)),
    async RUN(args) {
      // Absolute paths are those of the image.
      const here = args.replaceAll(/(?<=\s)\/(?=\w)/g, `${folder}/`)
      const env = { ...environment(), ...given }
      const options = { cwd: within(workFolder), env, ...(user !== 'root' && ACCOUNT) }
      await promisify(execFile)('/bin/sh', ['-ec', here], options)
    },
    USER(args) {
      user = args
    },
    EXPOSE(args) {
      exposed.push(args)
    },
    VOLUME(args) {
      volumes.push(args)
    },
    CMD(args) {
      command = JSON.parse(args)
    },
    HEALTHCHECK(args) {
      healthCheck = JSON.parse(args.replace(/^(?:--\S+ )*CMD /, ''))
    },
  }
  for (const { name, args } of stage.steps) await carryOut(steps, { name, args })
  return {
    folder,
    settings,
    environment: environment(),
    workFolder: within(workFolder),
    user,
    command,
    healthCheck,
    exposed,
    volumes,
  }
}

async function carryOut(
  steps: Readonly<Record<string, (args: string) => void | Promise<void>>>,
  { name, args }: Instruction,
): Promise<void> {
  try {
    const step = steps[name]
    if (step === undefined) throw new Error('this instruction is not understood')
    await step(args)
  } catch (cause) {
    throw new Error(`${name} ${args} failed: ${(cause as Error).message}`, { cause })
  }
}

async function copy(args: string, workFolder: string, origin: (stage: string) => string): Promise<void> {
  const [, stage = '', paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(args) ?? []
  const sources = paths.split(' ')
  const target = sources.pop() as string
  for (const source of sources) {
    const from = join(origin(stage), source)
    const isFolder = (await lstat(from)).isDirectory()
    // A file is copied into a folder; of a folder, its contents are.
    const to =
      isFolder || !target.endsWith('/') ? join(workFolder, target) : join(workFolder, target, basename(from))
    await mkdir(dirname(to), { recursive: true })
    await cp(from, to, { recursive: true, verbatimSymlinks: true })
  }
}
