import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addUser, contextOn } from '../../../test/kit.ts'
import { addWebhook } from '../../../test/webhooks.ts'
import { NO_VERSION } from '../../domain/calendars/calendar.ts'
import { NOTHING } from '../../domain/sentence.ts'
import { findAnyCalendar, insertCalendar } from '../../store/calendars/calendars.ts'
import { findAnyConnection, insertConnection } from '../../store/calendars/connections.ts'
import { findWebhook } from '../../store/webhooks/webhooks.ts'
import { isManageToken, mailedToken, manageToken } from '../bookings/guest/manage-link.ts'
import { openTokens, sealTokens } from '../calendars/access-token.ts'
import { createContext } from '../context.ts'
import { seal, unseal } from '../seal.ts'
import { openSecret, sealSecret } from '../webhooks/secret.ts'
import { reseal } from './reseal.ts'

onEveryDatabase('changing the service’s secret', ({ db }) => {
  const id = '0199a1f0-0000-7000-8000-000000000001'

  it('keeps passwords, tokens, webhook secrets and guests’ links while the previous one is given', async () => {
    const { context: old } = contextOn(db())
    const ada = await addUser(db(), 'ada')
    const calendar = {
      ...NO_VERSION,
      id,
      userId: ada.id,
      connectionId: null,
      externalId: '',
      notices: 0,
      kind: 'caldav' as const,
      name: 'Work',
      url: 'https://dav.example/',
      username: 'ada',
      busy: true,
      tentative: 'busy' as const,
      writeTo: false,
      writable: true,
      sealedPassword: seal(old, id, 'pass'),
      createdAt: 1,
      refreshedAt: null,
      nextRefreshAt: 1,
      failures: 0,
      lastError: NOTHING,
      skipped: 0,
    }
    await db()
      .transaction()
      .execute((trx) => insertCalendar(trx, calendar))
    const tokens = { accessToken: 'access', refreshToken: 'refresh' }
    const connection = {
      id,
      userId: ada.id,
      provider: 'google' as const,
      subject: '1',
      account: 'ada@gmail.example',
      sealedTokens: sealTokens(old, id, tokens),
      expiresAt: 1,
      tokenRevision: 0,
      status: 'ok' as const,
      lastError: NOTHING,
      createdAt: 1,
    }
    await db()
      .transaction()
      .execute((trx) => insertConnection(trx, connection))
    const plain = await addWebhook(db(), ada)
    const secret = (webhookId: string, text: string) => sealSecret(old, webhookId, text)
    const webhook = await addWebhook(db(), ada, { previousSecret: 'whsec_b2xk', previousSecretUntil: 9 })
    await db()
      .updateTable('webhooks')
      .set({ secret: secret(webhook.id, webhook.secret), previous_secret: secret(webhook.id, 'whsec_b2xk') })
      .where('id', '=', webhook.id)
      .execute()

    const jwtSecret = 'another-secret-that-only-these-tests-know'
    const alone = createContext({ ...old, jwtSecret })
    const both = createContext({ ...old, jwtSecret, previousJwtSecret: old.jwtSecret })
    for (const token of [manageToken(old, id), mailedToken(old, id)]) {
      assert.ok(isManageToken(both, id, token))
      assert.ok(!isManageToken(alone, id, token))
    }
    assert.equal(unseal(both, id, calendar.sealedPassword), 'pass')
    // Without the old key nothing can be read, and nothing is lost.
    assert.deepEqual(await reseal(alone), { sealed: 1, unreadable: 4 })
    assert.deepEqual(await reseal(both), { sealed: 5, unreadable: 0 })

    const read = async () => {
      const stored = (await findAnyCalendar(db(), id)) ?? assert.fail()
      const [one, two] = [await findWebhook(db(), plain.id), await findWebhook(db(), webhook.id)]
      return [
        unseal(alone, id, stored.sealedPassword),
        openSecret(alone, plain.id, one?.secret ?? ''),
        openSecret(alone, webhook.id, two?.secret ?? ''),
        openSecret(alone, webhook.id, two?.previousSecret ?? ''),
      ]
    }
    assert.deepEqual(openTokens(alone, (await findAnyConnection(db(), id)) ?? assert.fail()), tokens)
    assert.deepEqual(await read(), ['pass', plain.secret, webhook.secret, 'whsec_b2xk'])
  })
})
