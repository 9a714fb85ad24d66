import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What runs here. `commit` is empty where neither Git nor a release says it. */
interface Release {
  readonly version: string
  readonly commit: string
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Reads the version from package.json, and the commit from the checkout, or from what a package or an image was made with. */
export function readRelease(root = ROOT): Release {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { version, commit: commitOfCheckout(root) ?? commitOfRelease(root) ?? '' }
}

/** `tools/pack.ts` and the Dockerfile write this file. */
function commitOfRelease(root: string): string | undefined {
  const text = readIfThere(join(root, 'dist', 'release.json'))
  return text === undefined ? undefined : (JSON.parse(text) as { commit: string }).commit
}

/** The commit that is checked out. It reads Git's own files, because a server need not have Git. */
function commitOfCheckout(root: string): string | undefined {
  const git = gitFolderOf(root)
  const head = readIfThere(join(git, 'HEAD'))
  const branch = /^ref: (.+)$/.exec(head ?? '')?.[1]
  if (branch === undefined) return head
  // A worktree has a HEAD of its own, and shares the branches.
  const shared = resolve(git, readIfThere(join(git, 'commondir')) ?? '.')
  return readIfThere(join(shared, branch)) ?? commitIn(readIfThere(join(shared, 'packed-refs')) ?? '', branch)
}

/** `.git`, or where it leads in a worktree. */
function gitFolderOf(root: string): string {
  const link = /^gitdir: (.+)$/.exec(readIfThere(join(root, '.git')) ?? '')?.[1]
  return resolve(root, link ?? '.git')
}

function commitIn(packedRefs: string, branch: string): string | undefined {
  const line = packedRefs.split('\n').find((text) => text.endsWith(` ${branch}`))
  return line?.split(' ')[0]
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}
