import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addForm } from '../../../test/forms.ts'
import { addTeam, MONDAY_NOON } from '../../../test/kit.ts'
import { newId } from '../../store/new-id.ts'
import { recordTogether } from './record-responses.ts'

onEveryDatabase('responses that arrive at the same time', ({ db }) => {
  it('are stored, each with its job, although the form of one of them is gone', async () => {
    const form = await addForm(db(), await addTeam(db(), 'crew'))
    const responseTo = (formId: string) => ({
      id: newId(),
      formId,
      answers: {},
      result: { action: 'message', message: 'Thank you.' } as const,
      createdAt: MONDAY_NOON,
    })
    const responses = [form.id, newId(), form.id].map(responseTo)
    const outcomes = await Promise.allSettled(responses.map((one) => recordTogether(db(), one)))
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    const stored = await db().selectFrom('routing_responses').select('id').orderBy('id').execute()
    const expected = [responses[0], responses[2]].map((one) => one?.id).sort()
    assert.deepEqual(
      stored.map(({ id }) => id),
      expected,
    )
    const jobs = await db().selectFrom('outbox').select('data').execute()
    assert.deepEqual(jobs.map(({ data }) => JSON.parse(data).responseId).sort(), expected)
  })
})
