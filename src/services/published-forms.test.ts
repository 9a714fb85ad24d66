import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../test/databases.ts'
import { addForm } from '../../test/forms.ts'
import { addEventType, addTeam, addUser, changeElsewhere } from '../../test/kit.ts'
import type { RoutingForm } from '../domain/forms/routing.ts'
import type { Scheduler } from '../domain/people/scheduler.ts'
import { insertBlockedGuest } from '../store/bookings/guests/blocked-guests.ts'
import type { Trx } from '../store/engine/database.ts'
import { deleteEventType, updateEventType } from '../store/event-types/event-types.ts'
import { deleteForm, updateForm } from '../store/forms/forms.ts'
import { newId } from '../store/new-id.ts'
import { moveSlug } from '../store/people/old-slugs.ts'
import { updateScheduler } from '../store/people/schedulers.ts'
import { updateUser } from '../store/people/users.ts'
import { PublishedForms } from './published-forms.ts'

onEveryDatabase('published forms', ({ db }) => {
  const change = (owner: Scheduler, work: (trx: Trx) => Promise<unknown>) =>
    changeElsewhere(db(), owner.id, work)

  it('are read once, until anything of their owner changes', async () => {
    const forms = new PublishedForms(db())
    const ada = await addUser(db(), 'ada')
    const call = await addEventType(db(), ada, { slug: 'call' })
    let form = await addForm(db(), ada, { slug: 'contact' })
    const find = () => forms.find('ada', 'contact')
    const first = await find()
    assert.ok(first)
    assert.equal(await find(), first)
    assert.deepEqual([...first.destinations.keys()], [call.id])

    const rename = (given: Partial<RoutingForm>) =>
      change(ada, (trx) => {
        form = { ...form, ...given }
        return updateForm(trx, form)
      })
    await rename({ name: 'Renamed', abuse: { ...form.abuse, blocklist: ['form.example'] } })
    assert.equal((await find())?.form.name, 'Renamed')
    const blocked = { id: newId(), schedulerId: ada.id, entry: 'owner.example', createdAt: 0 }
    await change(ada, (trx) => insertBlockedGuest(trx, blocked))
    assert.deepEqual((await find())?.blocklist, ['form.example', 'owner.example'])
    await change(ada, (trx) => updateEventType(trx, { ...call, slug: 'talk' }))
    assert.equal((await find())?.destinations.get(call.id)?.slug, 'talk')
    await change(ada, (trx) => updateEventType(trx, { ...call, hidden: true }))
    assert.equal((await find())?.destinations.size, 0)
    await change(ada, (trx) => deleteEventType(trx, call.id))
    await change(ada, (trx) => updateScheduler(trx, { ...ada, name: 'Ada Lovelace' }))
    assert.equal((await find())?.scheduler.name, 'Ada Lovelace')

    const moved = { kind: 'routing-form', scope: ada.id, targetId: form.id } as const
    await change(ada, (trx) => moveSlug(trx, { ...moved, from: 'contact', to: 'moved' }))
    await rename({ slug: 'moved' })
    assert.equal((await find())?.form.slug, 'moved', 'by its former slug')
    const other = await addForm(db(), ada, { slug: 'contact' })
    assert.equal((await find())?.form.id, other.id, 'which another form may take')
    await change(ada, (trx) => deleteForm(trx, other.id))
    assert.equal(await find(), undefined)
  })

  it('are not found once their owner has no page, or another owner has the address', async () => {
    const forms = new PublishedForms(db())
    const eve = await addUser(db(), 'eve')
    await addForm(db(), eve, { slug: 'contact' })
    const find = () => forms.find('eve', 'contact')
    assert.ok(await find())
    await change(eve, (trx) => updateUser(trx, eve.id, { disabledAt: 1 }))
    assert.equal(await find(), undefined)
    await change(eve, (trx) => updateUser(trx, eve.id, { disabledAt: null }))
    assert.ok(await find())
    await change(eve, (trx) => updateScheduler(trx, { ...eve, slug: 'away' }))
    // Her revision is that at which the form was read last.
    const next = await addTeam(db(), 'eve')
    for (let i = 0; i < 2; i++) await change(next, async () => {})
    assert.equal(await find(), undefined)
  })

  it('are forgotten when there are too many', async () => {
    const forms = new PublishedForms(db())
    const max = await addUser(db(), 'max')
    await addForm(db(), max, { slug: 'first' })
    const first = await forms.find('max', 'first')
    for (let number = 0; number < 50; number++) {
      await addForm(db(), max, { slug: `many-${number}`, description: 'x'.repeat(100_000) })
      await forms.find('max', `many-${number}`)
    }
    assert.notEqual(await forms.find('max', 'first'), first)
  })
})
