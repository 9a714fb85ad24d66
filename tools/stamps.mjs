// Says whether what was built was built from the present sources. Plain JavaScript without dependencies: every start asks, on
// any Node the machine has.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** They import the ground floor, and the style sheet has the classes of the first paint. */
export const PAGES = {
  stamp: 'web/dist/stamp',
  ingredients: [
    'web',
    'embed',
    'src/domain',
    'src/texts',
    'src/format',
    'src/http/pages',
    'tools/build.ts',
    'package-lock.json',
  ],
}

export const SERVER = {
  main: 'tools/run-bundle.cjs',
  bundle: 'node_modules/.cache/server/service.cjs',
  compiled: 'node_modules/.cache/server/service.cjs.compiled',
  stamp: 'node_modules/.cache/server/stamp',
  ingredients: ['src', 'tools/bundle.ts', 'tools/compile-bundle.ts', 'package-lock.json'],
}

const LEFT_OUT = /(?:^|[/\\])(?:dist|node_modules)(?:[/\\]|$)|\.test\.tsx?$/

/** What a build is made from: taken before it, and written after it. */
export function stampOf(root, { ingredients }) {
  const files = ingredients.flatMap((ingredient) => filesIn(root, ingredient))
  return `${contentsOf(root, files)}\n${timesOf(root, files)}`
}

export function writeStamp(root, { stamp }, text) {
  writeFileSync(join(root, stamp), text)
}

/**
 * Times decide first: to read everything takes longer than all else that `npm start` does before the service. Contents
 * have the last word, because a clone or a checkout touches every file.
 */
export function isFresh(root, built) {
  try {
    const files = built.ingredients.flatMap((ingredient) => filesIn(root, ingredient))
    const [contents, times] = readFileSync(join(root, built.stamp), 'utf8').split('\n')
    if (times === timesOf(root, files)) return true
    if (contents !== contentsOf(root, files)) return false
  } catch {
    return false
  }
  try {
    writeStamp(root, built, stampOf(root, built))
  } catch {
    // This folder cannot be written to. The next start reads everything as well.
  }
  return true
}

function contentsOf(root, files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${named(file)}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function timesOf(root, files) {
  const hash = createHash('sha256')
  for (const file of files) {
    const { size, mtimeMs, ctimeMs } = statSync(join(root, file))
    hash.update(`${named(file)}\0${size}\0${mtimeMs}\0${ctimeMs}\0`)
  }
  return hash.digest('hex')
}

const named = (file) => file.replaceAll('\\', '/')

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
    .map((entry) => ({ name: join(path, entry.name), isFile: entry.isFile() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, isFile }) => {
      if (!isFile) return filesIn(root, name)
      return LEFT_OUT.test(name) ? [] : [name]
    })
}
