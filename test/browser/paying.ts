import assert from 'node:assert/strict'
import { setTimeout as nextTurn } from 'node:timers/promises'
import type { Frame, FrameLocator, Page } from 'playwright-core'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { NOTHING } from '../../src/domain/sentence.ts'
import { stripeProvider } from '../../src/outside/payments/stripe/stripe.ts'
import { settleSession } from '../../src/services/bookings/payments/settle.ts'
import { sealSecrets } from '../../src/services/payments/accounts.ts'
import { newId } from '../../src/store/new-id.ts'
import { insertPaymentAccount } from '../../src/store/payments/accounts.ts'
import { addEventType, addUser, weekdays } from '../kit.ts'
import { startStripe } from '../outside/stripe.ts'
import { BETWEEN_CHANGES, openStage } from './stage.ts'

export const PRICE = {
  amount: 4900,
  currency: 'EUR',
  refund: { fullUntilMinutes: 1440, laterPercent: 50 },
  byDuration: { '30': 4900, '60': 8900 },
}

/** Until something that was sent has arrived. */
export async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    if (await isDone()) return
    await nextTurn(10)
  }
  assert.fail('it never arrived')
}

export type Payments = Awaited<ReturnType<typeof openPayments>>

/** A stage whose hosts take money. Notices have tests of their own: here the money arrives when a test says so. */
export async function openPayments() {
  const stripe = await startStripe({ now: () => BETWEEN_CHANGES, deliver: async () => ({ status: 200 }) })
  const stage = await openStage({ payments: stripeProvider({ apiUrl: stripe.url }) })
  // Guests return to its public address.
  Object.assign(stage.context, { publicUrl: stage.url })

  const bookedBy = async (email: string) => {
    const [booking] = await stage.db
      .selectFrom('bookings')
      .select(['id', 'status', 'payment'])
      .where('invitee_email', '=', email)
      .orderBy('id', 'desc')
      .execute()
    assert.ok(booking)
    return booking
  }

  /** The checkout of a guest, and what the provider calls its session. */
  const checkoutOf = async (email: string) => {
    const { checkoutId } = JSON.parse((await bookedBy(email)).payment ?? '{}')
    const { session_id } = await stage.db
      .selectFrom('checkouts')
      .select('session_id')
      .where('id', '=', checkoutId)
      .executeTakeFirstOrThrow()
    return { checkoutId: String(checkoutId), sessionId: session_id ?? '' }
  }

  return {
    stage,
    stripe,
    bookedBy,
    checkoutOf,

    /** An event type that costs something, at `/{slug}/talk`. */
    async add(slug: string, given: Partial<EventType> = {}) {
      const host = await addUser(stage.db, slug, weekdays('Europe/Berlin'))
      const id = newId()
      const account = {
        id,
        schedulerId: host.id,
        provider: 'stripe',
        account: stripe.account.id,
        name: stripe.account.name,
        ...sealSecrets(stage.context, id, { key: stripe.key, hookSecret: 'whsec_none' }),
        hookId: '',
        status: 'ok',
        lastError: NOTHING,
        createdAt: 0,
      } as const
      await stage.db.transaction().execute((trx) => insertPaymentAccount(trx, account))
      return addEventType(stage.db, host, { slug: 'talk', durations: [30, 60], price: PRICE, ...given })
    },

    statusOf: async (id: string) =>
      (await stage.db.selectFrom('bookings').select('status').where('id', '=', id).executeTakeFirst())
        ?.status,

    /** The provider says what became of the session. */
    async arrive(email: string) {
      const { checkoutId, sessionId } = await checkoutOf(email)
      await settleSession(
        stage.context,
        checkoutId,
        await stage.context.payments.readSession(stripe.key, sessionId),
      )
    },

    /** The provider closes the session. */
    async expire(email: string) {
      const { checkoutId, sessionId } = await checkoutOf(email)
      await settleSession(
        stage.context,
        checkoutId,
        await stage.context.payments.closeSession(stripe.key, sessionId),
      )
    },

    async close() {
      await stage.close()
      await stripe.close()
    },
  }
}

export const timeOf = (page: Page | Frame | FrameLocator, clock: string) =>
  page.getByRole('button', { name: new RegExp(`^${clock} \\w`) })

/** Chooses a time and fills in the form. */
export async function fillIn(page: Page | Frame | FrameLocator, email: string, clock = '14:00') {
  await timeOf(page, clock).click()
  await page.getByLabel('Name').fill('Grace Guest')
  await page.getByLabel('Email', { exact: true }).fill(email)
}

/** Pays on the provider's page. */
export const payThere = (page: Page) => page.getByRole('button', { name: /^Pay \d/ }).click()

/** For a person to look at: `PICTURES=folder`. */
export async function picture(page: Page, name: string): Promise<void> {
  const { PICTURES: folder } = process.env
  if (folder === undefined) return
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.screenshot({ path: `${folder}/${name}-dark.png`, fullPage: true })
  await page.emulateMedia({ colorScheme: 'light' })
}
