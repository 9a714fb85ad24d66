import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Stands in for `npm ci` where an image is put together: installs what the lockfile asks for from the packages that are
// here already, so that no registry is needed and not a minute is spent.

const installed = fileURLToPath(new URL('..', import.meta.url))
const [command, ...options] = process.argv.slice(2)
const omitted = new Set(
  options.filter((option) => option !== '--ignore-scripts').map((option) => option.replace('--omit=', '')),
)
// It runs no scripts, so it must be told not to.
if (
  command !== 'ci' ||
  !options.includes('--ignore-scripts') ||
  ![...omitted].every((group) => ['dev', 'optional'].includes(group))
) {
  throw new Error(`npm ${process.argv.slice(2).join(' ')} is more than this stand-in does`)
}

interface Entry {
  readonly dev?: true
  readonly optional?: true
  readonly devOptional?: true
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Entry> }
for (const [path, { dev, optional, devOptional }] of Object.entries(lock.packages)) {
  if (path === '') continue
  if (omitted.has('dev') && dev) continue
  if (omitted.has('optional') && (optional || (devOptional && omitted.has('dev')))) continue
  const from = join(installed, path)
  // npm leaves out packages for other platforms.
  if (!existsSync(from) && (optional || devOptional)) continue
  copyTree(from, path)
}

function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      // Packages within packages have entries of their own.
      if (entry.name !== 'node_modules') copyTree(source, target)
    } else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkOrCopy(source, target)
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target)
  } catch {
    copyFileSync(source, target)
  }
}
