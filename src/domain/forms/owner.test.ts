import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../problem.ts'
import { checkOwnerRule, companyDomain } from './owner.ts'
import { type FormField, findEmailAnswer } from './routing.ts'

describe('companyDomain', () => {
  it('is the part of an address that colleagues share', () => {
    assert.equal(companyDomain('Grace@ACME.example '), 'acme.example')
    assert.equal(companyDomain('grace@mail.acme.example'), 'mail.acme.example')
  })

  it('is nothing where anyone can get an address', () => {
    for (const domain of ['gmail.com', 'GMX.de', 'outlook.com', 'icloud.com', 'proton.me', 'qq.com']) {
      assert.equal(companyDomain(`grace@${domain}`), undefined, domain)
    }
  })
})

describe('checkOwnerRule', () => {
  it('takes days and what to compare, and drops the rest', () => {
    assert.deepEqual(checkOwnerRule({ days: 90, by: 'domain', more: 1 }, 'owner'), { days: 90, by: 'domain' })
  })

  it('names what is wrong', () => {
    const cases = [
      [{ by: 'email' }, 'owner.days'],
      [{ days: 0, by: 'email' }, 'owner.days'],
      [{ days: 1.5, by: 'email' }, 'owner.days'],
      [{ days: 3651, by: 'email' }, 'owner.days'],
      [{ days: 1, by: 'name' }, 'owner.by'],
      ['ada', 'owner.days'],
      [null, 'owner.days'],
    ] as const
    for (const [given, field] of cases) {
      const isRefusal = (error: unknown) => error instanceof Problem && error.field === field
      assert.throws(() => checkOwnerRule(given, 'owner'), isRefusal, JSON.stringify(given))
    }
  })
})

describe('findEmailAnswer', () => {
  const field = (id: string, type: FormField['type']): FormField => {
    return { id, label: id, type, required: false, options: [] }
  }
  const fields = [field('name', 'text'), field('first', 'email'), field('second', 'email')]

  it('is the first address that was given', () => {
    const answers = { name: 'x@y.example', first: ' ', second: ' grace@acme.example ' }
    assert.equal(findEmailAnswer(fields, answers), 'grace@acme.example')
    assert.equal(findEmailAnswer(fields, { ...answers, first: 'a@b.example' }), 'a@b.example')
  })

  it('is nothing without one', () => {
    assert.equal(findEmailAnswer(fields, { name: 'x@y.example', second: 5 }), undefined)
    assert.equal(findEmailAnswer([], { second: 'a@b.example' }), undefined)
  })
})
