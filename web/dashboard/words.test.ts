import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { LANGUAGES } from '../../src/domain/languages.ts'
import type { Plural } from '../../src/domain/tell.ts'
import { anyOf, list, loadWords, type Wording, words } from './words.ts'

const DASHBOARD = fileURLToPath(new URL('.', import.meta.url))

type Leaf = string | Plural

const isPlural = (group: object): group is Plural =>
  'other' in group && Object.keys(group).every((key) => ['one', 'other'].includes(key))

/** Every text of a catalogue by its path, such as `bookings.views.past`. */
function leavesOf(part: object, path = ''): Map<string, Leaf> {
  return new Map(
    Object.entries(part).flatMap(([key, value]): [string, Leaf][] =>
      typeof value === 'object' && !isPlural(value)
        ? [...leavesOf(value, `${path}${key}.`)]
        : [[path + key, value]],
    ),
  )
}

async function catalogue(wording: Wording): Promise<Map<string, Leaf>> {
  await loadWords(wording)
  return leavesOf(words)
}

const wordingsOf = (leaf: Leaf) => (typeof leaf === 'string' ? [leaf] : Object.values(leaf))

/** What a text says, in all its wordings. */
const textOf = (leaf: Leaf) => wordingsOf(leaf).join(' ')

/** What it says of most numbers. */
const mostOf = (leaf: Leaf) => (typeof leaf === 'string' ? leaf : leaf.other)

const gapsIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()

/** Names, and words that two languages share. */
const ALIKE = new Set(
  `admin alt altcha api api-token api-tokens backups cal calendly captcha cloudflare com condition dashboard date description details du format google hcaptcha
  honeypot id invitation jitsi js link meet menu message messages microsoft minutes name no node note passkey passkeys person punctual question questions recaptcha sections
  sessions sie software standard status system team teams test tests token tokens turnstile type version webhook webhooks zoom`.split(
    /\s+/,
  ),
)

/** Each text that the sources of the dashboard read, by its path; for an index, the path of the whole list. */
async function usedPaths(): Promise<Set<string>> {
  const used = new Set<string>()
  for await (const name of glob('**/*.{ts,tsx}', { cwd: DASHBOARD })) {
    if (name.endsWith('.test.ts')) continue
    const source = readFileSync(`${DASHBOARD}/${name}`, 'utf8')
    const aliases = new Map([['words', '']])
    const pathOf = (text: string) => {
      const [first = '', ...rest] = text.split('.')
      return [aliases.get(first), ...rest].filter((step) => step !== '').join('.')
    }
    // Twice, since an alias can be of an alias.
    for (const _ of [1, 2]) {
      for (const [, alias = '', path = ''] of source.matchAll(/const (\w+) = ([\w.]+)$/gm)) {
        if (aliases.has(path.split('.')[0] ?? '')) aliases.set(alias, pathOf(path))
      }
      for (const [, names = '', path = ''] of source.matchAll(/const \{([^}]*)\} = ([\w.]+)$/gm)) {
        if (!aliases.has(path.split('.')[0] ?? '')) continue
        for (const [key = '', alias = key] of names.split(',').map((one) => one.trim().split(': '))) {
          aliases.set(alias, `${pathOf(path)}.${key}`)
          used.add(`${pathOf(path)}.${key}`)
        }
      }
    }
    const isAlias = (path: string) => aliases.has(path.split('.')[0] ?? '')
    const read = source.replace(/const (?:\w+|\{[^}]*\}) = ([\w.]+)$/gm, (line, path: string) =>
      isAlias(path) ? '' : line,
    )
    const names = [...aliases.keys()].join('|')
    for (const [path] of read.matchAll(new RegExp(`(?<![\\w.])(?:${names})(?:\\.\\w+)+`, 'g')))
      used.add(pathOf(path))
  }
  return used
}

describe('the words of the dashboard', () => {
  let english: Map<string, Leaf>
  before(async () => {
    english = await catalogue('en')
  })

  for (const wording of [...LANGUAGES.slice(1), 'de-du'] as Wording[]) {
    it(`say everything in ${wording}, with all that English says it with`, async () => {
      const translated = await catalogue(wording)
      assert.deepEqual([...translated.keys()].sort(), [...english.keys()].sort())
      for (const [path, leaf] of translated) {
        const text = textOf(leaf)
        for (const one of wordingsOf(leaf)) assert.notEqual(one.trim(), '', path)
        assert.deepEqual(
          gapsIn(text),
          gapsIn(textOf(english.get(path) as Leaf)),
          `${wording}.${path}: ${text}`,
        )
      }
    })

    it(`are not English in ${wording}`, async () => {
      const same = [...(await catalogue(wording))].filter(([path, leaf]) => {
        const text = mostOf(leaf)
        const own = (
          text
            .replaceAll(/\{\w+\}/g, '')
            .toLowerCase()
            .match(/[\p{L}-]{2,}/gu) ?? []
        ).filter((word) => !ALIKE.has(word))
        return own.length > 0 && text === mostOf(english.get(path) as Leaf)
      })
      assert.deepEqual(
        same.map(([path]) => path),
        [],
      )
    })
  }

  it('are all said somewhere', async () => {
    const used = await usedPaths()
    const isUsed = (path: string) =>
      path.split('.').some((_, index, steps) => used.has(steps.slice(0, index + 1).join('.')))
    assert.deepEqual(
      [...english.keys()].filter((path) => !isUsed(path)),
      [],
    )
  })

  it('have du for everything that says Sie', async () => {
    // Everything that says Sie is about the reader: "they" never begins a sentence here.
    const formal = /\b(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)\b/
    const du = await catalogue('de-du')
    const left = [...du].filter(
      ([path, leaf]) => formal.test(textOf(leaf)) && path !== 'profile.germanAddresses.sie',
    )
    assert.deepEqual(
      left.map(([path]) => path),
      [],
    )
    const de = await catalogue('de')
    const needless = Object.entries(
      Object.fromEntries(leavesOf((await import('../../src/texts/de-du/dashboard.ts')).default)),
    ).filter(([path, leaf]) => textOf(leaf) === textOf(de.get(path) as Leaf))
    assert.deepEqual(needless, [])
  })

  it('list as the language does', async () => {
    await loadWords('en')
    assert.equal(list(['a', 'b', 'c']), 'a, b, c')
    assert.equal(anyOf(['1', '2', '3']), '1, 2, or 3')
    await loadWords('ja')
    assert.equal(list(['a', 'b']), 'a、b')
    assert.equal(list([]), '')
  })
})
