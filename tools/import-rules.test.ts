import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findViolations } from './import-rules.ts'

const check = (sources: Record<string, string>, exceptions: readonly string[] = []) =>
  findViolations(new Map(Object.entries(sources)), exceptions).map(
    ({ file, line, rule }) => `${file}:${line} ${rule}`,
  )

describe('the layers', () => {
  it('let every layer import what lies below it', () => {
    assert.deepEqual(
      check({
        'src/domain/slots.ts': "import { overlaps } from './interval.ts'",
        'src/store/bookings.ts': "import pg from 'pg'\nimport type { Booking } from '../domain/booking.ts'",
        'src/services/book.ts':
          "import { insertBooking } from '../store/bookings.ts'\nimport { send } from '../outside/smtp.ts'",
        'src/http/public/bookings.ts': "import { book } from '../../services/book.ts'",
        'src/worker/outbox.ts': "import { send } from '../outside/smtp.ts'",
        'src/main.ts':
          "import { buildApp } from './http/app.ts'\nimport { runOutbox } from './worker/outbox.ts'",
        'web/booking/page.tsx': "import { overlaps } from '../../src/domain/interval.ts'",
      }),
      [],
    )
  })

  it('name the file, the line and the rule of an import that points up', () => {
    assert.deepEqual(
      check({ 'src/store/bookings.ts': "import pg from 'pg'\n\nimport { book } from '../services/book.ts'" }),
      [
        'src/store/bookings.ts:3 imports src/services/book.ts: src/store/ may import only src/domain/, src/texts/, src/format/',
      ],
    )
  })

  it('keep http and worker apart', () => {
    const rules = check({
      'src/http/app.ts': "import { wake } from '../worker/outbox.ts'",
      'src/worker/outbox.ts': "import { buildApp } from '../http/gate.ts'",
    })
    assert.equal(rules.length, 2)
  })

  it('let http know the types of the store, but not load it', () => {
    const gate = (text: string) => check({ 'src/http/gate.ts': text })
    assert.deepEqual(gate("import type { Db } from '../store/database.ts'"), [])
    assert.deepEqual(gate("export type { Db } from '../store/database.ts'"), [])
    const loads = [
      'src/http/gate.ts:1 imports src/store/database.ts: src/http/ may only `import type` from there',
    ]
    assert.deepEqual(gate("import { openDatabase } from '../store/database.ts'"), loads)
    assert.deepEqual(gate("import { type Db } from '../store/database.ts'"), loads)
    assert.deepEqual(gate("import type from '../store/database.ts'"), loads)
    assert.deepEqual(gate("const { openDatabase } = await import('../store/database.ts')"), loads)
    assert.deepEqual(gate("import '../store/database.ts'"), loads)
    assert.deepEqual(gate("export * from '../store/database.ts'"), loads)
  })

  it('read an import that spans lines at the line of its file name', () => {
    assert.deepEqual(
      check({ 'src/domain/slots.ts': "import {\n  book,\n  cancel,\n} from '../services/book.ts'" }),
      [
        'src/domain/slots.ts:4 imports src/services/book.ts: src/domain/ may import nothing of ours but itself',
      ],
    )
  })

  it('let the React part of the widget import React, and the loader beside it', () => {
    const sources = (text: string) => ({ 'embed/react/part.tsx': text })
    assert.deepEqual(check(sources("import { useRef } from 'react'\nimport { load } from '../load.ts'")), [])
    assert.equal(
      check(sources("import { x } from '../../src/domain/x.ts'\nimport { y } from '../embed.ts'")).length,
      2,
    )
  })

  it('let the embed script import nothing', () => {
    const rules = check({
      'embed/embed.ts': "import { x } from '../src/domain/x.ts'\nimport React from 'react'",
    })
    assert.equal(rules.length, 2)
  })

  it('want to know which layer a new file in src is in', () => {
    assert.deepEqual(check({ 'src/attic/box.ts': '' }), [
      'src/attic/box.ts:1 is in no layer: add it to the table in tools/import-rules.ts',
    ])
  })

  it('leave tests free to import anything, and let nothing import a test', () => {
    assert.deepEqual(
      check({
        'src/domain/slots.test.ts': "import { book } from '../services/book.ts'\nDate.now()",
        'src/domain/slots.ts': "import { rules } from './slots.test.ts'",
      }),
      ['src/domain/slots.ts:1 imports ./slots.test.ts: nothing imports a test'],
    )
  })
})

describe('the modules', () => {
  it('let a module import the modules before it, and itself', () => {
    assert.deepEqual(
      check({
        'src/domain/bookings/booking.ts':
          "import { readSlug } from '../people/slug.ts'\nimport { overlaps } from '../interval.ts'\nimport './states.ts'",
        'src/services/workspace/import.ts': "import { addBlocked } from '../bookings/blocklist.ts'",
        'src/store/outbox.ts': "import type { Db } from './engine/database.ts'",
        'src/http/admin/admin.ts': "import { bookingRoutes } from './bookings/bookings.ts'",
        'web/booking/main.tsx': "import { Field } from '../parts/field.tsx'\nimport '../styles/guest.css'",
      }),
      [],
    )
  })

  it('refuse the way back, types included', () => {
    assert.deepEqual(
      check({ 'src/domain/event-types/event-type.ts': "import type { Slot } from '../slots/slots.ts'" }),
      [
        'src/domain/event-types/event-type.ts:1 imports src/domain/slots/slots.ts: in src/domain/, event-types/ must not know slots/',
      ],
    )
    assert.deepEqual(
      check({ 'src/domain/interval.ts': "import type { Booking } from './bookings/booking.ts'" }),
      [
        'src/domain/interval.ts:1 imports src/domain/bookings/booking.ts: in src/domain/, a root file must not know bookings/',
      ],
    )
  })

  it('keep modules of one line apart', () => {
    assert.deepEqual(check({ 'web/manage/main.tsx': "import { Form } from '../booking/booking-form.tsx'" }), [
      'web/manage/main.tsx:1 imports web/booking/booking-form.tsx: in web/, manage/ must not know booking/',
    ])
  })

  it('hold inside a module that has modules itself', () => {
    assert.deepEqual(
      check({ 'src/http/admin/people/me.ts': "import { View } from '../bookings/bookings.ts'" }),
      [
        'src/http/admin/people/me.ts:1 imports src/http/admin/bookings/bookings.ts: in src/http/admin/, people/ must not know bookings/',
      ],
    )
  })

  it('want to know which module a new folder is', () => {
    assert.deepEqual(check({ 'src/services/invoices/pay.ts': '' }), [
      'src/services/invoices/pay.ts:1 is in no module of src/services/: add its folder to the table in tools/import-rules.ts',
    ])
  })

  it('bear an exception for as long as it is needed', () => {
    const exception = 'src/domain/people/user.ts → src/domain/mail/mail.ts'
    const sources = (text: string) => ({ 'src/domain/people/user.ts': text })
    assert.deepEqual(check(sources("import type { Mail } from '../mail/mail.ts'"), [exception]), [])
    assert.deepEqual(check(sources(''), [exception]), [
      `tools/import-rules.ts:1 remove the exception: ${exception}`,
    ])
  })
})

describe('the domain', () => {
  const uses = (text: string) =>
    check({ 'src/domain/slots.ts': text }).map((rule) => /uses (.*?):/.exec(rule)?.[1] ?? rule)

  it('imports no package and no module of Node, except for types', () => {
    assert.deepEqual(
      check({ 'src/domain/slots.ts': "import type { Static } from 'typebox'\nimport net from 'node:net'" }),
      ['src/domain/slots.ts:2 imports node:net: src/domain/ imports no package and no module of Node'],
    )
  })

  it('has no clock, no chance and no process', () => {
    assert.deepEqual(uses('const now = Date.now()'), ['Date.now'])
    assert.deepEqual(uses('const now = new Date()'), ['new Date'])
    assert.deepEqual(uses('const now = new Date'), ['new Date'])
    assert.deepEqual(uses('const now = Temporal.Now.instant()'), ['Temporal.Now'])
    assert.deepEqual(uses('const pick = Math.random()'), ['Math.random'])
    assert.deepEqual(uses('const start = performance.now()'), ['performance'])
    assert.deepEqual(uses('const zone = process.platform'), ['process'])
    assert.deepEqual(uses(`const text = \`at \${Date.now()}\``), ['Date.now'])
  })

  it('keeps no state between calls', () => {
    const keeps = (code: string) =>
      check({ 'src/format/any.ts': code }).map((line) => /keeps state in "(.*)"/.exec(line)?.[1])
    assert.deepEqual(keeps('let count = 0'), ['let count'])
    assert.deepEqual(keeps('export let count = 0'), ['export let count'])
    assert.deepEqual(keeps('const zones = new Map<string, Zone>()'), ['const zones'])
    assert.deepEqual(keeps('const zones: Map<string, Zone> =\n  new Map()'), ['const zones'])
    assert.deepEqual(keeps('export const compiled = new WeakMap()'), ['export const compiled'])
    assert.deepEqual(keeps('const bytes = new Uint8Array(8)'), ['const bytes'])
    assert.deepEqual(keeps('const list: string[] = []'), ['const list'])
    assert.deepEqual(keeps('const known = {}'), ['const known'])
    assert.deepEqual(keeps('class Zones {\n  static #all = new Map()\n}'), ['static #all'])
  })

  it('may keep tables that nothing can fill later', () => {
    const tables = [
      "const SLUGS: ReadonlySet<string> = new Set(['api'])",
      'const NOTHING: readonly string[] = []',
      "const NAMES: ReadonlyMap<string, string> = new Map([['a', 'b']])",
      "const KINDS = ['feed', 'caldav'] as const",
      'function find() {\n  const found = new Map()\n  let count = 0\n}',
      'class Zones {\n  readonly #zones = new Map()\n}',
      '// let it be\nconst text = `\nlet it be`',
    ]
    for (const table of tables) assert.deepEqual(check({ 'src/domain/any.ts': table }), [], table)
  })

  it('may turn a given instant into a date', () => {
    assert.deepEqual(uses('const date = new Date(startsAt)\nconst at = Date.UTC(2026, 0)'), [])
    assert.deepEqual(uses('const date = new Date(\n  startsAt,\n)'), [])
  })

  it('may speak of what it must not use', () => {
    assert.deepEqual(uses("// not Date.now()\nconst text = 'Math.random'\n/* new Date() */"), [])
    assert.deepEqual(uses("const quote = /['\"]/\nconst text = 'Date.now'"), [])
    assert.deepEqual(uses("// import pg from 'pg'\nconst text = \"import pg from 'pg'\""), [])
    assert.deepEqual(uses('const done = booking.process.length + a / b / c'), [])
  })
})

describe('the database in use', () => {
  it('is known to the engine folder alone', () => {
    const text = "const locking = name === 'postgres'"
    assert.deepEqual(check({ 'src/store/outbox.ts': text, 'src/store/engine/engine.ts': text }), [
      'src/store/outbox.ts:1 asks which database it is: only src/store/engine/ does',
    ])
  })
})

describe('the environment', () => {
  it('is read by the settings alone', () => {
    assert.deepEqual(
      check({
        'src/settings.ts': 'const port = process.env.PORT',
        'src/main.ts': 'const port = process.env.PORT',
      }),
      ['src/main.ts:1 reads process.env: only src/settings.ts does'],
    )
  })
})

describe('circles', () => {
  it('are found and named in full', () => {
    assert.deepEqual(
      check({
        'src/domain/a.ts': "import { b } from './b.ts'",
        'src/domain/b.ts': "\nimport { c } from './c.ts'",
        'src/domain/c.ts': "import { a } from './a.ts'",
        'src/domain/d.ts': "import { a } from './a.ts'",
      }),
      [
        'src/domain/c.ts:1 closes a circle: src/domain/a.ts → src/domain/b.ts → src/domain/c.ts → src/domain/a.ts',
      ],
    )
  })

  it('are closed by types, too', () => {
    assert.deepEqual(
      check({
        'client/src/api.ts': "import { call } from './client.ts'",
        'client/src/client.ts': "import type { Api } from './api.ts'",
      }),
      [
        'client/src/client.ts:1 closes a circle: client/src/api.ts → client/src/client.ts → client/src/api.ts',
      ],
    )
  })
})

describe('names', () => {
  it('say what a file is about', () => {
    for (const file of [
      'src/domain/utils.ts',
      'web/parts/index.tsx',
      'test/helpers.test.ts',
      'src/http/common/x.ts',
    ]) {
      assert.match(check({ [file]: '' }).join(), /names no idea/)
    }
    assert.deepEqual(check({ 'src/http/common-headers.ts': '', 'tools/indexes.ts': '' }), [])
  })
})

describe('the kinds of calendars and links', () => {
  const orbit = { 'src/outside/calendars/orbit/kind.ts': "export const orbit = { name: 'orbit' }" }

  it('are known to the registry alone', () => {
    const line = "import { orbit } from './calendars/orbit/kind.ts'"
    assert.deepEqual(check({ ...orbit, 'src/outside/registry.ts': line }), [])
    assert.deepEqual(
      check({
        ...orbit,
        'src/services/read.ts': "import { orbit } from '../outside/calendars/orbit/kind.ts'",
      }),
      [
        'src/services/read.ts:1 imports ../outside/calendars/orbit/kind.ts: only src/outside/registry.ts knows the kinds',
      ],
    )
  })

  it('are not named elsewhere, nor are their links', () => {
    const rules = check({
      ...orbit,
      'src/services/read.ts': "if (kind === 'orbit') read()\nif (link === 'orbit-module') make()",
      'web/dashboard/page.tsx': "const own = kinds.filter((kind) => kind !== 'orbit')",
      'src/services/travel.ts': "const word = 'orbiting'",
    })
    assert.deepEqual(
      rules.map((rule) => rule.split(' names ')[0]),
      ['src/services/read.ts:1', 'src/services/read.ts:2', 'web/dashboard/page.tsx:1'],
    )
  })
})

describe('folders', () => {
  const folderOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`src/domain/slots/part-${i}.ts`, '']))

  it('have at most 20 files, tests not counted', () => {
    assert.deepEqual(check({ ...folderOf(20), 'src/domain/slots/part-1.test.ts': '' }), [])
    assert.deepEqual(check(folderOf(21)), [
      'src/domain/slots/:1 has 21 files, and at most 20 are easy to survey: give some a folder of their own',
    ])
  })
})
