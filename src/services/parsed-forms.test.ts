import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FormRow } from '../store/forms/forms.ts'
import { ParsedForms } from './parsed-forms.ts'

const ROW: FormRow = {
  id: '1',
  scheduler_id: '2',
  slug: 'contact',
  name: 'Contact',
  description: null,
  fields: '[]',
  rules: '[]',
  fallback: '{"action":"message","message":"Hello"}',
  abuse: '{}',
  tests: '[]',
  lookup_secret: null,
  keep_personal_data_days: null,
  erased_until: 0,
}

describe('ParsedForms', () => {
  it('parses a form once, until any of its columns changes', () => {
    const forms = new ParsedForms()
    const form = forms.read(ROW)
    assert.equal(forms.read({ ...ROW }), form)
    for (const column of Object.keys(ROW) as (keyof FormRow)[]) {
      if (column === 'id') continue
      const changed = { ...ROW, [column]: column === 'tests' ? '[ ]' : `${ROW[column] ?? 'x'} ` }
      assert.notEqual(forms.read(changed), form, column)
      assert.notEqual(forms.read(ROW), form, 'the newest is kept')
    }
  })

  it('forgets forms when there are too many', () => {
    const forms = new ParsedForms()
    const form = forms.read(ROW)
    for (let number = 0; number < 50; number++) {
      forms.read({ ...ROW, id: `many-${number}`, description: 'x'.repeat(100_000) })
    }
    assert.notEqual(forms.read(ROW), form)
  })
})
