import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { LANGUAGES } from '../../domain/languages.ts'
import { ANY_FIELD, FIELD_NAMES } from '../../http/field-names.ts'
import { readTexts } from '../../texts/read.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The patterns of all `sentence` templates in a source text. */
function patternsIn(source: string): string[] {
  const code = source.replaceAll(/^\s*\/\*\*[\s\S]*?\*\//gm, '')
  return [...code.matchAll(/\bsentence`/g)].map(({ index, 0: tag }) => patternAt(code, index + tag.length))
}

/** The pattern of the template that starts here, with a number for each of its values. */
function patternAt(code: string, start: number): string {
  let [pattern, values, at] = ['', 0, start]
  while (code[at] !== '`') {
    if (code[at] === '$' && code[at + 1] === '{') {
      pattern += `{${values}}`
      values += 1
      at = endOfValue(code, at + 2)
    } else {
      if (code[at] === '\\') at += 1
      pattern += code[at]
      at += 1
    }
  }
  return pattern
}

function endOfValue(code: string, start: number): number {
  let [depth, at] = [1, start]
  for (; depth > 0; at += 1) depth += code[at] === '{' ? 1 : code[at] === '}' ? -1 : 0
  return at
}

const placeholdersIn = (text: string) => (text.match(/\{(?:\d+|field)\}/g) ?? []).sort()

describe('the catalogues of refusals', () => {
  const patterns = new Set<string>([ANY_FIELD, ...Object.values(FIELD_NAMES)])

  before(async () => {
    for await (const file of glob('src/**/*.ts', { cwd: root })) {
      if (file.endsWith('.test.ts')) continue
      for (const pattern of patternsIn(await readFile(join(root, file), 'utf8'))) patterns.add(pattern)
    }
  })

  it('finds the patterns in the source', () => {
    assert.deepEqual(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
      patternsIn('refuse(sentence`"${names.map(({ id }) => id)}" or \\`${2}\\`.`) + sentence`{field} is.`'),
      ['"{0}" or `{1}`.', '{field} is.'],
    )
    assert.ok(patterns.size > 400)
  })

  for (const language of LANGUAGES.filter((one) => one !== 'en')) {
    const catalogue = readTexts(language, 'refusals')
    it(`has every sentence and every field in ${language}, and nothing else`, () => {
      const known = new Set(Object.keys(catalogue))
      assert.deepEqual([...patterns.difference(known)], [], 'missing')
      assert.deepEqual([...known.difference(patterns)], [], 'no longer used')
    })

    it(`has the same placeholders in ${language}`, () => {
      for (const [pattern, text] of Object.entries(catalogue)) {
        assert.deepEqual(placeholdersIn(text), placeholdersIn(pattern), text)
        assert.notEqual(text.trim(), '')
      }
    })
  }

  it('addresses nobody in German: whether hosts say du or Sie is their choice', () => {
    const personal = /\b(?:du|dich|dir|dein\w*|euch|euer|eure\w*|Sie|Ihnen|Ihr(?:e\w?)?)\b/
    for (const text of Object.values(readTexts('de', 'refusals'))) assert.doesNotMatch(text, personal)
  })
})
