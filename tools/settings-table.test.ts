import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { settingsPage } from './settings-table.ts'

it('has written the table of settings that the service reads', () => {
  const page = readFileSync(new URL('../docs/settings.md', import.meta.url), 'utf8')
  assert.equal(page, settingsPage(page))
})
