import assert from 'node:assert/strict'
import { it } from 'node:test'
import { closestPath } from './closest-path.ts'

it('finds the control of the field itself, or of what contains it', () => {
  const paths = ['name', 'limits.day', 'questions.1.label', 'questions.1', 'questions', 'abuse.blocklist']
  assert.equal(closestPath(paths, 'limits.day'), 'limits.day')
  assert.equal(closestPath(paths, 'questions.1.label'), 'questions.1.label')
  assert.equal(closestPath(paths, 'questions.1.key'), 'questions.1')
  assert.equal(closestPath(paths, 'questions.12.key'), 'questions')
  assert.equal(closestPath(paths, 'abuse.blocklist.3'), 'abuse.blocklist')
})

it('finds none for a field that is not on the page', () => {
  assert.equal(closestPath(['name', 'limits.day'], 'limits'), undefined)
  assert.equal(closestPath(['name'], 'names'), undefined)
  assert.equal(closestPath(['name'], undefined), undefined)
})
