import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { arePagesFresh, stampOf, stampPath } from './pages-stamp.mjs'

describe('the stamp of the built pages', () => {
  let root: string
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'punctual-stamp-'))
    for (const path of [
      'web/a/main.tsx',
      'embed/embed.ts',
      'src/domain/b.ts',
      'src/texts/e.ts',
      'src/format/d.ts',
      'src/http/pages/c.ts',
      'tools/build.ts',
    ]) {
      write(path, 'one')
    }
    write('package-lock.json', '{}')
  })
  after(() => rmSync(root, { recursive: true }))

  it('is missing before the first build', () => {
    assert.equal(arePagesFresh(root), false)
  })

  it('holds until something that the pages are made of changes', () => {
    const ingredients = [
      'web/a/main.tsx',
      'web/new.css',
      'embed/embed.ts',
      'src/domain/b.ts',
      'src/texts/e.ts',
      'src/format/d.ts',
      'package-lock.json',
    ]
    for (const path of ingredients) {
      write('web/dist/stamp', '')
      writeFileSync(stampPath(root), stampOf(root))
      assert.equal(arePagesFresh(root), true)
      write(path, `changed ${path}`)
      assert.equal(arePagesFresh(root), false, path)
    }
  })

  it('ignores tests and built files', () => {
    const before = stampOf(root)
    write('src/domain/b.test.ts', 'a test')
    write('web/dist/assets/x.js', 'built')
    assert.equal(stampOf(root), before)
  })
})
