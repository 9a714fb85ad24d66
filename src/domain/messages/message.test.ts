import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../problem.ts'
import { checkMessage, checkOnlyReplacement, MESSAGE_DEFAULTS, type Message, textFor } from './message.ts'

const message = (given: Partial<Message> = {}): Message => ({
  id: 'm1',
  schedulerId: 'ada',
  createdAt: 0,
  name: 'Thanks',
  on: 'booked',
  ...MESSAGE_DEFAULTS,
  texts: { en: { subject: 'Hello {{guest.name}}', body: 'See you at {{start}}.' } },
  ...given,
})

const refusal = (given: Partial<Message>): string => {
  try {
    checkMessage(message(given), 'en')
  } catch (error) {
    if (error instanceof Problem) return `${error.field}: ${error.message}`
    throw error
  }
  return ''
}
const text = (subject: string, body: string) => ({ texts: { en: { subject, body } } })

describe('a message', () => {
  it('has minutes where its moment needs them, and nowhere else', () => {
    assert.equal(refusal({}), '')
    assert.match(refusal({ minutes: 60 }), /^minutes: Only messages before/)
    for (const minutes of [null, 4, 43_201, 5.5]) {
      assert.match(refusal({ on: 'before', minutes }), /^minutes: minutes must be .* 5 to 43200/)
    }
    assert.equal(refusal({ on: 'after', minutes: 43_200 }), '')
    const nudge = { ...text('Hi', 'Book: {{link.book}}'), on: 'unbooked' } as const
    assert.equal(refusal({ ...nudge, minutes: 10_080 }), '')
    assert.match(refusal({ ...nudge, minutes: 10_081 }), /^minutes:/)
  })

  it('goes to whom its moment and its channel know', () => {
    const nudge = { ...text('Hi', 'Book'), on: 'unbooked', minutes: 60 } as const
    assert.match(refusal({ ...nudge, to: 'guests' }), /^to:/)
    assert.match(refusal({ ...nudge, eventTypeIds: ['a'] }), /^eventTypeIds:/)
    assert.match(refusal({ formIds: ['a'] }), /^formIds:/)
    assert.match(refusal({ eventTypeIds: ['a', 'a'] }), /^eventTypeIds.1:/)
    assert.match(refusal({ ...text('', 'Hi'), by: 'sms', to: 'hosts' }), /^to:/)
  })

  it('replaces only mails that there are', () => {
    assert.equal(refusal({ replaces: true }), '')
    assert.equal(refusal({ replaces: true, on: 'before', minutes: 60 }), '')
    assert.match(refusal({ replaces: true, on: 'after', minutes: 60 }), /^replaces:/)
    assert.match(refusal({ replaces: true, on: 'no-show' }), /^replaces:/)
    assert.match(refusal({ ...text('', 'Hi'), replaces: true, by: 'sms' }), /^replaces:/)
  })

  it('has words that can be filled in, in the language of its owner', () => {
    assert.match(refusal({ texts: { de: { subject: 'x', body: 'y' } } }), /^texts:/)
    assert.match(refusal(text('', 'Hi')), /^texts.en.subject:/)
    assert.match(refusal(text('Two\nlines', 'Hi')), /^texts.en.subject:/)
    assert.match(refusal({ ...text('Hi', 'Hi'), by: 'sms' }), /^texts.en.subject: A text message has no/)
    assert.equal(refusal({ ...text('', 'Hi'), by: 'sms' }), '')
    assert.match(refusal(text('Hi', ' ')), /^texts.en.body:/)
    assert.match(refusal(text('Hi', 'x'.repeat(10_001))), /^texts.en.body:/)
    assert.match(
      refusal(text('Hi', 'Dear\n{{guest.nmae}}')),
      /^texts.en.body: There is no value called "guest.nmae". \(line 2, column 1\)$/,
    )
    assert.match(refusal(text('{{#if start}}', 'Hi')), /^texts.en.subject: .*line 1, column 1/)
    assert.match(refusal({ ...text('Hi', '{{link.cancel}}'), to: 'guests' }), /^texts.en.body:/)
  })

  it('is the only one that replaces a mail', () => {
    const given = message({ replaces: true })
    const conflicts = (other: Partial<Message>) => {
      try {
        checkOnlyReplacement(given, [message({ id: 'm2', replaces: true, ...other })])
        return false
      } catch (error) {
        return error instanceof Problem && error.code === 'state_conflict'
      }
    }
    assert.ok(conflicts({}))
    assert.ok(conflicts({ eventTypeIds: ['a'] }))
    assert.ok(!conflicts({ replaces: false }))
    assert.ok(!conflicts({ to: 'hosts' }))
    assert.ok(!conflicts({ on: 'cancelled' }))
    assert.ok(!conflicts({ id: 'm1' }))
  })

  it('speaks the reader’s language if it can, else the owner’s', () => {
    const texts = { en: { subject: 'a', body: 'b' }, de: { subject: 'c', body: 'd' } }
    assert.equal(textFor({ texts }, 'de', 'en').language, 'de')
    assert.equal(textFor({ texts }, 'ja', 'en').language, 'en')
    assert.equal(textFor({ texts: { de: texts.de } }, 'ja', 'en').language, 'de')
  })
})
