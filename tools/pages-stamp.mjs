// Says whether web/dist was built from the present sources. Plain JavaScript without dependencies: every
// start asks, on any Node the machine has.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the pages are built from: they import the ground floor, and the style sheet has the classes of the first paint. */
const INGREDIENTS = [
  'web',
  'embed',
  'src/domain',
  'src/texts',
  'src/format',
  'src/http/pages',
  'tools/build.ts',
  'package-lock.json',
]
const LEFT_OUT = /(?:^|[/\\])(?:dist|node_modules)(?:[/\\]|$)|\.test\.tsx?$/

const STAMP = 'web/dist/stamp'

/** A digest of everything that the pages are built from. */
export function stampOf(root) {
  const hash = createHash('sha256')
  for (const ingredient of INGREDIENTS) {
    for (const file of filesIn(root, ingredient)) {
      // Contents, not times: a clone or a checkout touches every file.
      hash.update(`${file.replaceAll('\\', '/')}\0`).update(readFileSync(join(root, file)))
    }
  }
  return hash.digest('hex')
}

export function arePagesFresh(root) {
  try {
    return readFileSync(join(root, STAMP), 'utf8') === stampOf(root)
  } catch {
    return false
  }
}

export function stampPath(root) {
  return join(root, STAMP)
}

function filesIn(root, path) {
  if (LEFT_OUT.test(path)) return []
  let entries
  try {
    entries = readdirSync(join(root, path), { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    throw error
  }
  return entries
    .map((entry) => join(path, entry.name))
    .sort()
    .flatMap((file) => filesIn(root, file))
}
