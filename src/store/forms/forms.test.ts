import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addEventType, addUser } from '../../../test/kit.ts'
import { FORM_DEFAULTS, type RoutingForm, type Target } from '../../domain/forms/routing.ts'
import { newId } from '../new-id.ts'
import { findFormsRoutingTo, insertForm } from './forms.ts'

const formOf = (schedulerId: string, name: string, given: Partial<RoutingForm>): RoutingForm => ({
  ...FORM_DEFAULTS,
  id: newId(),
  schedulerId,
  slug: name.toLowerCase(),
  name,
  fallback: { action: 'message', message: 'Thanks' },
  ...given,
})

onEveryDatabase('routing forms', ({ db }) => {
  it('are found by the event types that they route to', async () => {
    const ada = await addUser(db(), 'ada')
    const bob = await addUser(db(), 'bob')
    const wanted = await addEventType(db(), ada)
    const other = await addEventType(db(), ada)
    const leadingTo = (eventTypeId: string): Target => ({ action: 'routeToEvent', eventTypeId })
    const ruleTo = (eventTypeId: string) => ({ when: { all: [] }, target: leadingTo(eventTypeId) })
    const mention: Target = { action: 'message', message: `Not ${wanted.id}` }
    await insertForm(db(), formOf(ada.id, 'Second', { fallback: leadingTo(wanted.id) }))
    await insertForm(db(), formOf(ada.id, 'First', { rules: [ruleTo(other.id), ruleTo(wanted.id)] }))
    await insertForm(db(), formOf(ada.id, 'Elsewhere', { rules: [ruleTo(other.id)] }))
    await insertForm(db(), formOf(ada.id, 'Talkative', { fallback: mention }))
    await insertForm(db(), formOf(bob.id, 'Unowned', { fallback: leadingTo(wanted.id) }))
    assert.deepEqual(await findFormsRoutingTo(db(), wanted.id), ['First', 'Second'])
    assert.deepEqual(await findFormsRoutingTo(db(), newId()), [])
  })
})
