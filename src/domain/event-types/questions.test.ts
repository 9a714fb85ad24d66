import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../problem.ts'
import {
  type CustomFields,
  checkAnswers,
  checkQuestions,
  isChoice,
  MAX_ANSWER,
  QUESTION_TYPES,
  type Question,
} from './questions.ts'

const question = (type: Question['type'], given: Partial<Question> = {}): Question => ({
  key: 'field',
  label: `Your ${type}`,
  type,
  required: false,
  options: isChoice(type) ? ['Tea', 'Coffee'] : [],
  ...given,
})

const answer = (asked: Question, value: unknown) => checkAnswers([asked], { [asked.key]: value })

const refusedFor =
  (label: string, more = '') =>
  (error: unknown) =>
    error instanceof Problem &&
    error.code === 'invalid' &&
    error.message.includes(`"${label}"`) &&
    error.message.includes(more)

/** What fits each type, and what does not. */
const ANSWERS: Record<Question['type'], { fits: readonly unknown[]; misfits: readonly unknown[] }> = {
  text: {
    fits: ['A line', ' padded ', '0'],
    misfits: ['two\nlines', 'bell\u0007', 5, true, [], {}, ['A line']],
  },
  textarea: { fits: ['two\nlines\tand a tab', '\r\n x'], misfits: ['bell\u0007', 5, true, [], {}] },
  select: { fits: ['Tea', 'Coffee'], misfits: ['tea', 'Water', ' Tea', 0, true, ['Tea'], {}] },
  radio: { fits: ['Tea', 'Coffee'], misfits: ['tea', 'Water', 0, true, ['Tea'], {}] },
  multiselect: {
    fits: [['Tea'], ['Coffee', 'Tea']],
    misfits: ['Tea', ['Water'], ['Tea', 'Water'], [['Tea']], 0, true, {}],
  },
  checkbox: { fits: [true], misfits: ['true', 'on', 1, [], {}] },
  number: {
    fits: [0, -1.5, 1e21, '0', '12', '-3.5', ' 7 '],
    misfits: ['twelve', '1,5', 'NaN', 'Infinity', true, [], [5], {}],
  },
  phone: {
    fits: ['+49 30 901820', ' 030 901820 '],
    misfits: ['call me', '123', 4930901820, [], {}, '030\n901820'],
  },
  email: {
    fits: ['a@b.example', ' a@b.example '],
    misfits: ['a@b', 'a', 5, [], {}, 'a@b.example\nBcc: c@d.example'],
  },
  url: {
    fits: ['https://example.com', 'http://example.com/a?b', ' https://example.com '],
    misfits: ['example.com', 'javascript:alert(1)', 'https://exa\nmple.com', 5, [], {}],
  },
}

describe('checkAnswers', () => {
  for (const type of QUESTION_TYPES) {
    it(`accepts answers of type ${type}, and names the label of others`, () => {
      for (const value of ANSWERS[type].fits) answer(question(type), value)
      for (const value of ANSWERS[type].misfits) {
        assert.throws(() => answer(question(type), value), refusedFor(`Your ${type}`), JSON.stringify(value))
      }
    })

    it(`accepts no answer of type ${type} unless it is required`, () => {
      for (const blank of [undefined, null, '', '  ']) {
        answer(question(type), blank)
        assert.throws(
          () => answer(question(type, { required: true }), blank),
          refusedFor(`Your ${type}`, 'required'),
          JSON.stringify(blank),
        )
      }
      checkAnswers([question(type)], {})
      assert.throws(
        () => checkAnswers([question(type, { required: true })], {}),
        refusedFor(`Your ${type}`, 'required'),
      )
      for (const value of ANSWERS[type].fits) answer(question(type, { required: true }), value)
    })
  }

  it('accepts an unchecked box only if it is optional', () => {
    answer(question('checkbox'), false)
    assert.throws(
      () => answer(question('checkbox', { required: true }), false),
      refusedFor('Your checkbox', 'required'),
    )
  })

  it('does not accept false as text, a choice or a number', () => {
    for (const type of QUESTION_TYPES.filter((one) => one !== 'checkbox')) {
      assert.throws(() => answer(question(type), false), refusedFor(`Your ${type}`), type)
    }
  })

  it('accepts answers up to the maximum length', () => {
    for (const type of ['text', 'textarea'] as const) {
      answer(question(type), 'a'.repeat(MAX_ANSWER))
      assert.throws(
        () => answer(question(type), 'a'.repeat(MAX_ANSWER + 1)),
        refusedFor(`Your ${type}`, String(MAX_ANSWER)),
      )
    }
  })

  it('takes an empty list for no answer', () => {
    answer(question('multiselect'), [])
    assert.throws(
      () => answer(question('multiselect', { required: true }), []),
      refusedFor('Your multiselect', 'required'),
    )
  })

  it('names the choices of a select', () => {
    assert.throws(() => answer(question('select'), 'Water'), refusedFor('Your select', 'Tea, Coffee'))
  })

  it('ignores unknown keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (more) => {
        const { field: _, ...unknown } = more
        checkAnswers([question('text', { required: true })], { ...unknown, field: 'here' })
      }),
    )
  })

  it('ignores inherited properties', () => {
    for (const key of ['constructor', 'toString', 'hasOwnProperty']) {
      assert.throws(
        () => checkAnswers([question('text', { key, required: true })], {}),
        refusedFor('Your text', 'required'),
      )
      checkAnswers([question('text', { key })], {})
    }
  })

  it('only ever fails with a problem that names a label', () => {
    const asked = QUESTION_TYPES.map((type) => question(type, { key: type, required: true }))
    const given = fc.record(Object.fromEntries(QUESTION_TYPES.map((type) => [type, fc.jsonValue()])), {
      requiredKeys: [],
    })
    fc.assert(
      fc.property(given, (answers) => {
        try {
          checkAnswers(asked, answers as CustomFields)
        } catch (error) {
          assert.ok(error instanceof Problem && error.message.startsWith('"Your '), String(error))
        }
      }),
    )
  })
})

describe('checkQuestions', () => {
  const refused = (...questions: Question[]) => assert.throws(() => checkQuestions(questions), Problem)

  it('accepts one of each type', () => {
    checkQuestions(QUESTION_TYPES.map((type) => question(type, { key: type })))
    checkQuestions([])
  })

  it('refuses two questions with one key', () => {
    refused(question('text'), question('phone'))
  })

  it('refuses invalid keys', () => {
    for (const key of ['', '1a', 'a b', 'é', '__proto__', 'a.b', 'a'.repeat(65)])
      refused(question('text', { key }))
    checkQuestions([question('text', { key: 'a'.repeat(64) })])
  })

  it('refuses a question without a label', () => {
    refused(question('text', { label: ' ' }))
  })

  it('refuses choices without options', () => {
    for (const type of ['select', 'radio', 'multiselect'] as const) refused(question(type, { options: [] }))
  })

  it('refuses a hidden question that is required', () => {
    refused(question('text', { hidden: true, required: true }))
    checkQuestions([question('text', { hidden: true })])
  })
})
