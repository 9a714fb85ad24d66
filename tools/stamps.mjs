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

const LEFT_OUT = /^(?:dist|node_modules)$|\.test\.tsx?$/

/** What a build is made from: taken before it, and written after it. */
export function stampOf(root, { ingredients }) {
  const files = filesIn(root, ingredients)
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
    const files = filesIn(root, built.ingredients)
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
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(`${root}/${file}`))
  return hash.digest('hex')
}

function timesOf(root, files) {
  const times = files.map((file) => {
    const { size, mtimeMs, ctimeMs } = statSync(`${root}/${file}`)
    return `${file}\0${size}\0${mtimeMs}\0${ctimeMs}\0`
  })
  return createHash('sha256').update(times.join('')).digest('hex')
}

/** In an order of their own. `path.join` for each of them would take longer than all the rest. */
function filesIn(root, ingredients) {
  const files = []
  const add = (path) => {
    let entries
    try {
      entries = readdirSync(`${root}/${path}`, { withFileTypes: true })
    } catch (error) {
      if (error.code !== 'ENOTDIR') throw error
      files.push(path)
      return
    }
    for (const entry of entries) {
      if (LEFT_OUT.test(entry.name)) continue
      if (entry.isFile()) files.push(`${path}/${entry.name}`)
      else add(`${path}/${entry.name}`)
    }
  }
  for (const ingredient of ingredients) add(ingredient)
  return files.sort()
}
