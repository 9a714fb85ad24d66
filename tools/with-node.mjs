// Runs a script with the Node this project needs, on a machine whose own Node may be older.
//   node tools/with-node.mjs [--dev] [--pages] [--serve] [node options] script [arguments]
// --dev: with the developers' packages. --pages: with the pages built, if they can be. --serve: as the service runs, which is
// from a bundle of its sources, if it can be made.
// Plain JavaScript without dependencies: nothing is installed yet when this starts.

import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { SERVE_FLAGS } from './serve-flags.mjs'
import { isFresh, PAGES, SERVER } from './stamps.mjs'

const NEEDED_MAJOR = 26
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const WINDOWS = process.platform === 'win32'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const dev = take('--dev')
const pages = take('--pages')
const serve = take('--serve')

if (!isInstalled()) await oneAtATime(async () => isInstalled() || (await install()))
const node = findNode()
if (pages) await make(PAGES, 'build.ts', 'Building the pages …', 'The pages could not be built')
const program = serve ? await bundled(args) : args
// In front of a user's own, which win.
if (serve) process.env.NODE_OPTIONS = [...SERVE_FLAGS, process.env.NODE_OPTIONS].filter(Boolean).join(' ')
await become(node, program)

/** Whether this option comes next; if so, it is ours alone. */
function take(option) {
  if (args[0] !== option) return false
  args.shift()
  return true
}

/**
 * Whether node_modules holds what package-lock.json asks for.
 *
 * npm's own record of an install is compared, not a marker of ours: it is also there after an
 * install by hand, and it is missing after one that was interrupted.
 */
function isInstalled() {
  const wanted = readPackages('package-lock.json')
  const present = readPackages('node_modules/.package-lock.json')
  // A package has no lockfile: whoever installed it has installed its dependencies, too.
  if (wanted === undefined) return true
  if (present === undefined) return false
  const runtimes = Object.keys(wanted['']?.optionalDependencies ?? {}).map((name) => `node_modules/${name}`)
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') || entry.link || (entry.dev && !dev)) return true
    const found = present[path]
    if (found !== undefined) return found.version === entry.version && found.integrity === entry.integrity
    // npm leaves out packages for other platforms.
    if (runtimes.includes(path)) return !(fits(entry.os, process.platform) && fits(entry.cpu, process.arch))
    return Boolean(entry.optional || entry.devOptional)
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  } catch {
    return undefined
  }
}

function fits(allowed, own) {
  return allowed === undefined || [allowed].flat().includes(own)
}

async function install() {
  process.stderr.write('Installing dependencies …\n')
  // A server started beside a developer's tree must not take the tools away.
  const hadDev = Object.values(readPackages('node_modules/.package-lock.json') ?? {}).some(
    (entry) => entry.dev,
  )
  const options = [
    // Said in full, because NODE_ENV=production or a user's npmrc would otherwise decide.
    dev || hadDev ? '--include=dev' : '--omit=dev',
    '--include=optional',
    // A script would run with the Node that npm has just installed, which may not start yet; npm then drops its package.
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const result = await npm('ci', ...options)
  if (result.signal !== null) endAs(result.code, result.signal)
  if (result.code !== 0) {
    process.stderr.write(result.output)
    fail('The dependencies could not be installed: npm failed as shown above.')
  }
}

/** Runs a tool unless what it makes is of the present sources. Returns whether it is now: the service is worth starting without. */
async function make(built, tool, announcement, failure) {
  if (isFresh(root, built)) return true
  await oneAtATime(async () => {
    if (isFresh(root, built)) return
    process.stderr.write(`${announcement}\n`)
    const options = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] }
    const result = await run(node, [join(root, 'tools', tool)], options)
    if (result.signal !== null) endAs(result.code, result.signal)
    if (result.code !== 0) process.stderr.write(`${result.output}${failure}, as shown above.\n`)
  })
  return isFresh(root, built)
}

/** The same with the bundle in place of the service's sources. */
async function bundled([script, ...others]) {
  if (script !== 'src/main.ts') return [script, ...others]
  const failure = 'The service could not be bundled and starts more slowly'
  const isMade = await make(SERVER, 'bundle.ts', 'Bundling the service …', failure)
  return [isMade ? join(root, SERVER.main) : script, ...others]
}

function npm(...npmArgs) {
  const options = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] }
  const cli = process.env.npm_execpath ?? ''
  if (basename(cli) !== 'npm-cli.js') {
    return run(WINDOWS ? 'npm.cmd' : 'npm', npmArgs, { ...options, shell: WINDOWS })
  }
  // npm's own node, because the one running this may be in the folder that npm is about to replace.
  return run(process.env.npm_node_execpath ?? process.execPath, [cli, ...npmArgs], options)
}

/** Runs `work` while no other process does so for this folder. */
async function oneAtATime(work) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  // Outside node_modules, which npm empties.
  const lock = join(tmpdir(), `punctual-install-${process.getuid?.() ?? ''}-${name}`)
  while (!takeLock(lock)) {
    if (isAbandoned(lock)) release(lock)
    else await sleep(100)
  }
  const heartbeat = setInterval(() => utimesSync(lock, new Date(), new Date()), 1000)
  const releaseAtExit = () => release(lock)
  process.once('exit', releaseAtExit)
  await work()
  clearInterval(heartbeat)
  release(lock)
  process.off('exit', releaseAtExit)
}

function takeLock(lock) {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

function isAbandoned(lock) {
  const found = statSync(lock, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > 15_000
}

function release(lock) {
  try {
    rmdirSync(lock)
  } catch {
    // Someone else has cleared it already.
  }
}

function findNode() {
  const bundled = findBundled()
  let reason = `npm has none for ${process.platform} ${process.arch}.`
  if (bundled !== undefined) {
    if (realpathSync(bundled) === realpathSync(process.execPath)) return bundled
    let found = versionOf(bundled)
    if (found.error.includes('libatomic.so.1')) {
      // A small Linux lacks this library. Children inherit the variable, and need it as well.
      const libraries = join(root, 'tools', 'libatomic', `${process.platform}-${process.arch}`)
      process.env.LD_LIBRARY_PATH = [libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
      found = versionOf(bundled)
      removeLinkToNode()
    }
    if (found.major >= NEEDED_MAJOR) return bundled
    if (found.error !== '') reason = `the one npm installed does not run here (${found.error}).`
  }
  if (majorOf(process.version) >= NEEDED_MAJOR) return process.execPath
  fail(
    `Punctual needs Node ${NEEDED_MAJOR} or later; ${reason} Install it from https://nodejs.org, then try again.`,
  )
}

/** npm looks there first for the Node of a script. The next `npm start` would not get as far as this. */
function removeLinkToNode() {
  try {
    rmSync(join(root, 'node_modules', '.bin', 'node'), { force: true })
  } catch {
    // This folder cannot be written to. This start works all the same.
  }
}

/** The Node among our optional dependencies: in our own node_modules, or beside us in those of whoever installed us. */
function findBundled() {
  // In its package: npm 10 may leave out the link in .bin, which packages for other systems claim as well.
  const system = `${WINDOWS ? 'win' : process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  for (const name of [`node-${system}`, `node-bin-${system}`]) {
    try {
      return require.resolve(`${name}/bin/${WINDOWS ? 'node.exe' : 'node'}`)
    } catch {
      // Not this one.
    }
  }
  return undefined
}

function versionOf(node) {
  const { status, stdout, stderr, error } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (status === 0) return { major: majorOf(stdout), error: '' }
  return { major: 0, error: error?.message ?? stderr.trim().split('\n', 1)[0] }
}

function majorOf(version) {
  return Number(/^v(\d+)/.exec(version)?.[1])
}

/** Hands this process over to `command`, or stands in for it as closely as this Node can. */
async function become(command, commandArgs) {
  const preload = new URL('end-with-parent.mjs', import.meta.url).href
  // From the second start on, no source is stripped of its types or compiled again: half the time, and 20 MB less.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled')
  // With a heap for each thread, as the C library has it, what one has given back is of no use to the others: 10 MB more.
  process.env.MALLOC_ARENA_MAX ??= '1'
  // Outside npm a parent may leave on purpose: `nohup node … &`.
  const underNpm = process.env.npm_lifecycle_event !== undefined
  // One process instead of two: half the memory, and every signal arrives where it was sent. Not
  // when watching: there a preload reaches the watched process only, never the one that watches.
  if (process.execve !== undefined && !WINDOWS && !commandArgs.includes('--watch')) {
    const ownArgs = underNpm ? ['--import', preload] : []
    process.execve(command, [command, ...ownArgs, ...commandArgs], process.env)
  }
  if (underNpm) await import(preload)
  const { code, signal } = await run(command, ['--import', preload, ...commandArgs], { stdio: 'inherit' })
  endAs(code, signal)
}

/** Runs a command to its end, passing on the signals this process receives. */
function run(command, commandArgs, options) {
  return new Promise((resolve) => {
    const child = spawn(command, commandArgs, options)
    const chunks = []
    child.stdout?.on('data', (chunk) => chunks.push(chunk))
    child.stderr?.on('data', (chunk) => chunks.push(chunk))

    const passedOn = new Set()
    const onTerminal = [0, 1, 2].some((fd) => isatty(fd))
    const passOn = (signal) => {
      // A terminal signals the whole group, so the child has this one; and npm repeats what it gets.
      if ((onTerminal && signal !== 'SIGTERM') || passedOn.has(signal)) return
      passedOn.add(signal)
      child.kill(signal)
    }
    for (const signal of SIGNALS) process.on(signal, passOn)

    const finish = (code, signal) => {
      for (const name of SIGNALS) process.off(name, passOn)
      resolve({ code, signal, output: Buffer.concat(chunks).toString() })
    }
    child.once('close', finish)
    child.once('error', (error) => {
      chunks.push(Buffer.from(`${error.message}\n`))
      finish(1, null)
    })
  })
}

function endAs(code, signal) {
  if (signal === null) process.exit(code)
  process.kill(process.pid, signal)
  // A signal that does not end this process still must not let it carry on.
  process.exit(1)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
