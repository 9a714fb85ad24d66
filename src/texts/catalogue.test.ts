import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { LANGUAGES } from '../domain/languages.ts'
import { withPart } from './catalogue.ts'

const filesOf = (folder: string) => readdirSync(fileURLToPath(new URL(folder, import.meta.url))).sort()

/** Keyed by their English patterns, so English has none. */
const SENTENCES = ['import-plans.ts', 'refusals.ts']

type Leaves = Map<string, readonly string[]>

const isPlural = (group: object) =>
  'other' in group && Object.keys(group).every((key) => /^(?:zero|one|two|few|many|other)$/.test(key))

/** Every text by its path, such as `guest.confirmed.subject`, in all its wordings. */
function leavesOf(group: object, path = ''): Leaves {
  return new Map(
    Object.entries(group).flatMap(([key, value]): [string, readonly string[]][] => {
      if (typeof value === 'string') return [[path + key, [value]]]
      return isPlural(value) ? [[path + key, Object.values(value)]] : [...leavesOf(value, `${path}${key}.`)]
    }),
  )
}

const read = async (wording: string, file: string) => leavesOf((await import(`./${wording}/${file}`)).default)

const gapsIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()

const files = filesOf('en')
const english = new Map(await Promise.all(files.map(async (file) => [file, await read('en', file)] as const)))

describe('the texts', () => {
  for (const language of LANGUAGES.filter((one) => one !== 'en')) {
    it(`have the same files in ${language} as in English, and the sentences`, () => {
      assert.deepEqual(filesOf(language), [...files, ...SENTENCES].sort())
    })
  }

  for (const wording of [...LANGUAGES, 'de-du']) {
    it(`leave the same gaps in ${wording} as in English`, async () => {
      for (const file of filesOf(wording).filter((one) => !SENTENCES.includes(one))) {
        for (const [path, texts] of await read(wording, file)) {
          const needed = gapsIn((english.get(file)?.get(path) ?? []).join(' '))
          for (const text of texts) {
            // "The last day" needs no number.
            const own = new Set([
              ...gapsIn(text),
              ...(texts.length > 1 && text !== texts.at(-1) ? ['{count}'] : []),
            ])
            assert.deepEqual([...own].sort(), needed, `${wording} ${file} ${path}`)
            assert.doesNotMatch(text.replaceAll(/\{\w+\}/g, ''), /[{}]/, `${wording} ${file} ${path}`)
          }
        }
      }
    })
  }
})

describe('withPart', () => {
  it('replaces texts, whole lists and plurals, and nothing else', () => {
    const whole = { a: 'a', list: ['x', 'y'], deep: { b: 'b', days: { one: '1', other: '2' } } }
    const part = { list: ['z', 'z'], deep: { days: { one: '3', other: '4' } } }
    assert.deepEqual(withPart(whole, part), {
      a: 'a',
      list: ['z', 'z'],
      deep: { b: 'b', days: { one: '3', other: '4' } },
    })
  })
})
