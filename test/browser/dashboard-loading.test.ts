import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const DIST = fileURLToPath(new URL('../../web/dist', import.meta.url))
const BUDGET = 300 * 1024

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

describe('loading the dashboard', () => {
  const chunks = JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8')) as Record<string, Chunk>
  const filesOf = (...names: readonly string[]): Set<string> => {
    const files = new Set<string>()
    const visit = (name: string) => {
      const chunk = chunks[name]
      assert.ok(chunk, name)
      if (files.has(chunk.file)) return
      files.add(chunk.file)
      for (const imported of chunk.imports ?? []) visit(imported)
    }
    for (const name of names) visit(name)
    return files
  }
  const sizeOf = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(DIST, file))).length, 0)
  const ENTRY = 'dashboard/main.tsx'
  const pages = Object.keys(chunks).filter((name) => /^dashboard\/.*(?:-page|welcome)\.tsx$/.test(name))

  it('takes at most 300 KB of JavaScript, compressed, for any page', () => {
    assert.ok(pages.length >= 18, 'each page is its own chunk')
    for (const name of pages) {
      const total = sizeOf(
        filesOf(ENTRY, '../src/texts/en/guest-pages.ts', '../src/texts/en/dashboard.ts', name),
      )
      assert.ok(total <= BUDGET, `${name}: ${total} bytes`)
    }
  })

  it('loads the words of one language', () => {
    const languages = Object.keys(chunks).filter((name) => name.endsWith('/dashboard.ts'))
    assert.ok(languages.length >= 7, 'each language is its own chunk')
    for (const name of pages) {
      const loaded = filesOf(ENTRY, name)
      for (const language of languages)
        assert.ok(!loaded.has(chunks[language]?.file ?? ''), `${name}: ${language}`)
    }
  })

  it('plots where there is something to plot, and nowhere else', () => {
    const uPlot = [...filesOf('dashboard/bookings/insights/insights-page.tsx')].find((file) =>
      readFileSync(join(DIST, file), 'utf8').includes('u-hz'),
    )
    assert.ok(uPlot)
    for (const name of pages.filter((page) => !page.includes('insights'))) {
      assert.ok(!filesOf(ENTRY, name).has(uPlot), name)
    }
  })
})
