import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { isFresh, PAGES, SERVER, stampOf, writeStamp } from './stamps.mjs'

describe('the stamp of what was built', () => {
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
      'src/main.ts',
      'tools/build.ts',
      'tools/bundle.ts',
      'tools/compile-bundle.ts',
    ]) {
      write(path, 'one')
    }
    write('package-lock.json', '{}')
    for (const { stamp } of [PAGES, SERVER]) mkdirSync(dirname(join(root, stamp)), { recursive: true })
  })
  after(() => rmSync(root, { recursive: true }))

  it('is missing before the first build', () => {
    assert.equal(isFresh(root, PAGES), false)
    assert.equal(isFresh(root, SERVER), false)
  })

  const MADE_OF = [
    {
      built: PAGES,
      files: [
        'web/a/main.tsx',
        'web/new.css',
        'embed/embed.ts',
        'src/domain/b.ts',
        'src/texts/e.ts',
        'src/format/d.ts',
        'package-lock.json',
      ],
    },
    { built: SERVER, files: ['src/main.ts', 'src/domain/b.ts', 'src/new.ts', 'package-lock.json'] },
  ]
  for (const { built, files } of MADE_OF) {
    it(`holds until something changes of which ${dirname(built.stamp)} is made`, () => {
      for (const path of files) {
        writeStamp(root, built, stampOf(root, built))
        assert.equal(isFresh(root, built), true)
        write(path, `changed ${path} for ${built.stamp}`)
        assert.equal(isFresh(root, built), false, path)
      }
    })
  }

  it('sees a change of the same length, also one that keeps the time', () => {
    writeStamp(root, SERVER, stampOf(root, SERVER))
    const { atime, mtime } = statSync(join(root, 'src/main.ts'))
    write('src/main.ts', readFileSync(join(root, 'src/main.ts'), 'utf8').toUpperCase())
    utimesSync(join(root, 'src/main.ts'), atime, mtime)
    assert.equal(isFresh(root, SERVER), false)
  })

  it('holds where only the times have changed, as in a clone', () => {
    writeStamp(root, SERVER, stampOf(root, SERVER))
    utimesSync(join(root, 'src/main.ts'), 1, 1)
    assert.equal(isFresh(root, SERVER), true)
    assert.equal(isFresh(root, SERVER), true)
  })

  it('ignores tests and built files', () => {
    const before = stampOf(root, PAGES)
    write('src/domain/b.test.ts', 'a test')
    write('web/dist/assets/x.js', 'built')
    assert.equal(stampOf(root, PAGES), before)
  })
})
