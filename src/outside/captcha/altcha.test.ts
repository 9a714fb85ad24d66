import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Challenge, type Solution, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import fc from 'fast-check'
import { createAltchaChallenge, verifyAltcha } from './altcha.ts'

const SECRET = 'a secret that only we know'
const HOUR = 3_600_000

const tokenOf = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')

async function solve(challenge: Challenge): Promise<Solution> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('The challenge was not solved.')
  return solution
}

describe('an ALTCHA challenge', () => {
  const expiresAt = Math.floor(Date.now() / 1000) * 1000 + HOUR
  let challenge: Challenge
  let solution: Solution
  const verify = (payload: unknown, subject = 'talk', secret = SECRET) =>
    verifyAltcha(secret, subject, tokenOf(payload), Date.now())

  before(async () => {
    challenge = await createAltchaChallenge(SECRET, 'talk', expiresAt)
    solution = await solve(challenge)
  })

  it('is passed by its solution', async () => {
    assert.equal((await verify({ challenge, solution }))?.expiresAt, expiresAt)
  })

  it('takes hundreds of guesses, unless it is asked for with fewer', async () => {
    assert.ok(solution.counter >= 300, String(solution.counter))
    const easy = await createAltchaChallenge(SECRET, 'talk', expiresAt, [2, 9])
    const guessed = await solve(easy)
    assert.ok(guessed.counter >= 2 && guessed.counter < 9, String(guessed.counter))
    assert.ok(await verify({ challenge: easy, solution: guessed }))
  })

  it('is never the same twice', async () => {
    const other = await createAltchaChallenge(SECRET, 'talk', expiresAt)
    assert.notEqual(other.parameters.nonce, challenge.parameters.nonce)
    assert.notEqual(other.signature, challenge.signature)
  })

  it('has one id, however its solution is encoded', async () => {
    const plain = await verify({ challenge, solution })
    const took = (solution.time ?? 0) + 1
    const dressed = await verify({ extra: true, solution: { ...solution, time: took }, challenge })
    assert.ok(plain !== undefined && dressed !== undefined)
    assert.equal(dressed.id, plain.id)
    const shouted = { ...challenge, signature: challenge.signature?.toUpperCase() }
    assert.ok([undefined, plain.id].includes((await verify({ challenge: shouted, solution }))?.id))
  })

  it('is not passed for another subject', async () => {
    assert.equal(await verify({ challenge, solution }, 'other'), undefined)
    const relabelled = { ...challenge, parameters: { ...challenge.parameters, data: { subject: 'other' } } }
    assert.equal(await verify({ challenge: relabelled, solution }, 'other'), undefined)
  })

  it('is not passed if it is forged', async () => {
    assert.equal(await verify({ challenge, solution }, 'talk', 'another secret'), undefined)
    const unsigned = { parameters: challenge.parameters }
    assert.equal(await verify({ challenge: unsigned, solution }), undefined)
    for (const signature of ['', '0'.repeat(64), null, 5, {}]) {
      assert.equal(await verify({ challenge: { ...challenge, signature }, solution }), undefined)
    }
  })

  it('is not passed if a parameter was changed', async () => {
    const changes: Record<string, unknown> = {
      nonce: '0'.repeat(32),
      salt: '0'.repeat(32),
      cost: 1,
      keyLength: 1,
      keyPrefix: '',
      keySignature: undefined,
      expiresAt: (challenge.parameters.expiresAt ?? 0) + 1,
      algorithm: 'SHA-256',
    }
    for (const [name, value] of Object.entries(changes)) {
      const parameters = { ...challenge.parameters, [name]: value }
      assert.equal(await verify({ challenge: { ...challenge, parameters }, solution }), undefined, name)
    }
    const { expiresAt: _, ...eternal } = challenge.parameters
    assert.equal(await verify({ challenge: { ...challenge, parameters: eternal }, solution }), undefined)
  })

  it('is not passed by a guess', async () => {
    for (const guess of [
      { ...solution, derivedKey: '0'.repeat(64) },
      { ...solution, derivedKey: challenge.parameters.keyPrefix },
      { ...solution, derivedKey: '' },
      { ...solution, counter: 'x' },
      {},
      null,
      5,
      [],
    ]) {
      assert.equal(await verify({ challenge, solution: guess }), undefined, JSON.stringify(guess))
    }
  })

  it('is not passed once it has expired', async () => {
    const old = await createAltchaChallenge(SECRET, 'talk', Date.now() - 2000)
    assert.equal(await verify({ challenge: old, solution: await solve(old) }), undefined)
  })

  it('is not passed by garbage', async () => {
    const tokens = [
      '',
      ' ',
      'x',
      '{}',
      '%%%',
      'bnVsbA==',
      tokenOf(null),
      tokenOf([]),
      tokenOf(5),
      tokenOf('a'),
      'A'.repeat(20_000),
    ]
    for (const token of tokens)
      assert.equal(await verifyAltcha(SECRET, 'talk', token, Date.now()), undefined, token)
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.jsonValue().map(tokenOf)), async (token) => {
        assert.equal(await verifyAltcha(SECRET, 'talk', token, Date.now()), undefined)
      }),
    )
  })

  it('survives any one part of it being replaced by anything', async () => {
    const part = fc.constantFrom(
      'challenge',
      'solution',
      'parameters',
      'signature',
      'data',
      'keySignature',
      'nonce',
      'salt',
    )
    const unlike = fc.jsonValue().filter((value) => typeof value !== 'string' || value.length < 32)
    await fc.assert(
      fc.asyncProperty(part, unlike, async (name, value) => {
        const replaced = JSON.parse(JSON.stringify({ challenge, solution }), (key, old) =>
          key === name ? value : old,
        )
        assert.equal(await verifyAltcha(SECRET, 'talk', tokenOf(replaced), Date.now()), undefined)
      }),
    )
  })
})
