import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Condition, Target } from '../../../../src/domain/forms/routing.ts'
import type { FormView } from '../../core/data/views.ts'
import { loadWords } from '../../words.ts'
import { ruleSentence } from './rule-sentence.ts'

const FIELDS: FormView['fields'] = [
  {
    id: 'land',
    label: 'Country',
    type: 'select',
    required: true,
    options: [
      { id: 'de', label: 'Germany' },
      { id: 'fr', label: 'France' },
    ],
  },
  { id: 'mail', label: 'Email', type: 'email', required: false, options: [] },
  { id: 'note', label: '', type: 'text', required: false, options: [] },
]
const THANKS: Target = { action: 'message', message: 'Thanks.' }
const sentence = (when: Condition, target: Target = THANKS) => {
  const halves = ruleSentence({ when, target }, FIELDS, [])
  return `${halves.conditions.map(({ text }) => text).join('')} → ${halves.target}`
}

describe('ruleSentence', () => {
  before(() => loadWords('en'))

  const german: Condition = { field: 'land', operator: 'equals', value: 'de' }
  const ours: Condition = { field: 'mail', operator: 'endsWith', value: '@example.com' }

  it('reads as a host would say it, with labels instead of ids', () => {
    const anyLand: Condition = { field: 'land', operator: 'isAnyOf', value: ['de', 'fr'] }
    assert.equal(
      sentence({ all: [anyLand, ours] }),
      'If Country is one of Germany, France and Email ends with “@example.com” → “Thanks.”',
    )
  })

  it('puts a group within a group in brackets, if it has more than one condition', () => {
    const empty: Condition = { field: 'note', operator: 'isEmpty' }
    assert.equal(
      sentence({ any: [{ all: [german, ours] }, { all: [empty] }] }),
      'If (Country is Germany and Email ends with “@example.com”) or Question 3 is empty → “Thanks.”',
    )
  })

  it('is readable while a rule is unfinished', () => {
    assert.equal(
      sentence({ all: [] }, { action: 'redirect', url: 'https://a.example' }),
      'Always → Go to https://a.example',
    )
    const gone: Condition = { field: 'gone', operator: 'isAnyOf', value: [] }
    assert.equal(sentence(gone), 'If a deleted question is one of … → “Thanks.”')
    const long: Condition = { field: 'note', operator: 'equals', value: 'x'.repeat(500) }
    assert.ok(sentence(long).length < 150)
  })
})
