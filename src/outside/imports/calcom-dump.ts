import { columnsOf, decodeRow, readCopyLine } from '../../domain/imports/columns.ts'
import { SOURCE_TABLES, type SourceTable } from '../../domain/imports/source.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { cutOff, noDump, textOfDump } from './dump-text.ts'
import type { Read, ReadingOptions } from './reading.ts'
import { type Line, SqlScanner, type Token } from './sql-scanner.ts'

export interface DumpSource {
  readonly dump: AsyncIterable<Uint8Array>
  /** In bytes, if it is known. */
  readonly size?: number | undefined
}

/** Of one row. */
const MOST_ROW = 16 * 1024 * 1024

/** A table with more of them is none of Cal.com's. */
const MOST_COLUMNS = 2000

/** Reads the rows of a plain `pg_dump`, one at a time. Throws a `Problem` if it is none, or not all of one. */
export async function* readDump(
  { dump, size }: DumpSource,
  { signal, onProgress }: ReadingOptions = {},
): AsyncGenerator<Read> {
  let done = 0
  async function* counted() {
    for await (const chunk of dump) {
      signal?.throwIfAborted()
      done += chunk.length
      yield chunk
      onProgress?.({ done, total: size ?? null })
    }
  }
  const reader = new DumpReader()
  for await (const text of textOfDump(counted())) yield* reader.take(text)
  yield* reader.finish()
}

/** Said by a reader that waits for the rest of a token or line. */
const MORE = Symbol('more')

type Step<Result> = Generator<Read | typeof MORE, Result, void>

const TABLES: ReadonlySet<string> = new Set(SOURCE_TABLES)
const isSource = (name: string): name is SourceTable => TABLES.has(name)

interface Table {
  readonly schema: string
  readonly name: string
}

/** Words that begin a line of CREATE TABLE that is no column. */
const NO_COLUMN: ReadonlySet<string> = new Set([
  'CONSTRAINT',
  'PRIMARY',
  'UNIQUE',
  'CHECK',
  'FOREIGN',
  'EXCLUDE',
  'LIKE',
])

class DumpReader {
  readonly #scanner = new SqlScanner(MOST_ROW, (text) => this.#seeComment(text))
  readonly #steps = this.#statements()
  /** From CREATE TABLE. */
  readonly #columns = new Map<string, readonly string[]>()
  readonly #tables = new Set<SourceTable>()
  readonly #withoutColumns = new Set<SourceTable>()
  /** Where names without a schema are. */
  #schema = 'public'
  #understood = 0
  #header: 'none' | 'begun' | 'complete' = 'none';

  *take(text: string): Generator<Read> {
    this.#scanner.push(text)
    yield* this.#run()
  }

  *finish(): Generator<Read> {
    this.#scanner.end()
    yield* this.#run()
    if (this.#scanner.unfinished || this.#header === 'begun') throw this.#broken()
    if (this.#understood === 0) throw noDump()
    if (!this.#tables.has('users') || !this.#tables.has('EventType')) {
      throw new Problem(
        'invalid',
        sentence`This dump has no tables of Cal.com. Please dump the database that Cal.com uses.`,
      )
    }
  }

  /** Goes on until there is nothing left to read. */
  *#run(): Generator<Read> {
    for (;;) {
      const { done, value } = this.#steps.next()
      if (done || value === MORE) return
      yield value
    }
  }

  #seeComment(text: string): void {
    if (text === 'PostgreSQL database dump') this.#header = 'begun'
    else if (text === 'PostgreSQL database dump complete') this.#header = 'complete'
  }

  #broken(): Problem {
    return this.#understood > 0 || this.#header !== 'none' ? cutOff() : noDump()
  }

  *#statements(): Step<void> {
    for (;;) {
      const token = this.#scanner.next() ?? (yield* this.#wait())
      if (token === undefined) return
      if (token.kind === 'sign' && token.text === ';') continue
      const word = wordOf(token)
      if (word === 'COPY') yield* this.#copy()
      else if (word === 'INSERT') yield* this.#insert()
      else if (word === 'CREATE') yield* this.#create()
      else if (word === 'SET') yield* this.#set()
      else yield* this.#skip()
    }
  }

  *#wait(): Step<Token | undefined> {
    for (;;) {
      const token = this.#scanner.next()
      if (token !== undefined || this.#scanner.ended) return token
      yield MORE
    }
  }

  /** The next token, in the middle of a statement. */
  *#token(): Step<Token> {
    const token = this.#scanner.next() ?? (yield* this.#wait())
    if (token === undefined) throw this.#broken()
    return token
  }

  /** Goes on behind the end of this statement. */
  *#skip(): Step<void> {
    while (!isSign(this.#scanner.next() ?? (yield* this.#token()), ';'));
  }

  /** The same, where a body may have statements in it: BEGIN ATOMIC … END. */
  *#skipRoutine(): Step<void> {
    for (let depth = 0; ; ) {
      const token = yield* this.#token()
      const word = wordOf(token)
      if (word === 'BEGIN' || (word === 'CASE' && depth > 0)) depth += 1
      else if (word === 'END' && depth > 0) depth -= 1
      else if (depth === 0 && isSign(token, ';')) return
    }
  }

  *#set(): Step<void> {
    const setting = wordOf(yield* this.#token())
    const equals = yield* this.#token()
    if (isSign(equals, ';')) return
    const value = yield* this.#token()
    if (isSign(value, ';')) return
    if (setting === 'SEARCH_PATH') this.#schema = nameOf(value)
    if (setting === 'CLIENT_ENCODING') this.#checkEncoding(value.text)
    this.#understood += 1
    yield* this.#skip()
  }

  #checkEncoding(name: string): void {
    if (/^(?:utf-?8|sql_ascii)$/i.test(name)) return
    throw new Problem(
      'invalid',
      sentence`This dump is in the encoding ${name.slice(0, 40)}. Make it again with: pg_dump --encoding=UTF8`,
    )
  }

  *#create(): Step<void> {
    for (;;) {
      const token = yield* this.#token()
      if (isSign(token, ';')) return
      const word = wordOf(token)
      if (word === 'TABLE') return yield* this.#createTable()
      if (word === 'FUNCTION' || word === 'PROCEDURE') return yield* this.#skipRoutine()
      if (!['OR', 'REPLACE', 'UNLOGGED', 'GLOBAL', 'LOCAL', 'TEMP', 'TEMPORARY'].includes(word))
        return yield* this.#skip()
    }
  }

  *#createTable(): Step<void> {
    let first = yield* this.#token()
    while (['IF', 'NOT', 'EXISTS'].includes(wordOf(first))) first = yield* this.#token()
    const table = yield* this.#table(first)
    const open = yield* this.#token()
    if (!isSign(open, '(')) {
      this.#scanner.unread(open)
      return yield* this.#skip()
    }
    this.#understood += 1
    const columns: string[] = []
    let atStart = true
    for (let depth = 1; depth > 0; ) {
      const token = yield* this.#token()
      if (atStart && isName(token) && !NO_COLUMN.has(wordOf(token)) && columns.length < MOST_COLUMNS)
        columns.push(nameOf(token))
      atStart = depth === 1 && isSign(token, ',')
      if (isSign(token, '(')) depth += 1
      else if (isSign(token, ')')) depth -= 1
    }
    const source = this.#sourceOf(table)
    if (source !== undefined) this.#columns.set(source, columns)
    yield* this.#skip()
  }

  /** A name, of which this is the first token. */
  *#table(first: Token): Step<Table> {
    const next = yield* this.#token()
    if (!isSign(next, '.')) {
      this.#scanner.unread(next)
      return { schema: this.#schema, name: nameOf(first) }
    }
    return { schema: nameOf(first), name: nameOf(yield* this.#token()) }
  }

  /** Which of our tables this is, if it is one. */
  #sourceOf({ schema, name }: Table): SourceTable | undefined {
    if (schema !== 'public' || !isSource(name)) return undefined
    this.#tables.add(name)
    return name
  }

  /** A list of columns, if there is one. */
  *#columnList(): Step<readonly string[] | undefined> {
    const open = yield* this.#token()
    if (!isSign(open, '(')) {
      this.#scanner.unread(open)
      return undefined
    }
    const columns: string[] = []
    for (;;) {
      const token = yield* this.#token()
      if (isSign(token, ')')) return columns
      if (isName(token) && columns.length < MOST_COLUMNS) columns.push(nameOf(token))
    }
  }

  *#copy(): Step<void> {
    const first = yield* this.#token()
    if (!isName(first)) {
      this.#scanner.unread(first)
      return yield* this.#skip()
    }
    const table = yield* this.#table(first)
    const listed = yield* this.#columnList()
    const from = wordOf(yield* this.#token())
    const stdin = wordOf(yield* this.#token())
    if (from !== 'FROM' || stdin !== 'STDIN') return yield* this.#skip()
    // In another form than the one that we read.
    if (!isSign(yield* this.#token(), ';')) throw noDump()
    this.#understood += 1
    const source = this.#sourceOf(table)
    const columns = source === undefined ? [] : (listed ?? this.#columns.get(source))
    yield* this.#copyLines(source, columns)
  }

  *#copyLines(table: SourceTable | undefined, columns: readonly string[] | undefined): Step<void> {
    // What is left of the line of the statement.
    yield* this.#line()
    for (;;) {
      const { text, tooLong } = yield* this.#line()
      if (text === '\\.') return
      if (table === undefined) continue
      if (tooLong) yield rowTooLong(table)
      else if (columns === undefined) yield* this.#noteColumns(table)
      else yield this.#rowOf(table, columns, readCopyLine(text))
    }
  }

  *#line(): Step<Line> {
    for (;;) {
      const line = this.#scanner.line()
      if (line?.complete || line?.text === '\\.') return line
      if (this.#scanner.ended) throw this.#broken()
      yield MORE
    }
  }

  *#insert(): Step<void> {
    const into = yield* this.#token()
    if (wordOf(into) !== 'INTO') {
      this.#scanner.unread(into)
      return yield* this.#skip()
    }
    const table = yield* this.#table(yield* this.#token())
    const listed = yield* this.#columnList()
    for (;;) {
      const token = yield* this.#token()
      if (isSign(token, ';')) return
      const word = wordOf(token)
      if (word === 'VALUES') break
      if (!['OVERRIDING', 'SYSTEM', 'USER', 'VALUE'].includes(word)) return yield* this.#skip()
    }
    this.#understood += 1
    const source = this.#sourceOf(table)
    if (source === undefined) return yield* this.#skip()
    const columns = listed ?? this.#columns.get(source)
    if (columns === undefined) {
      yield* this.#noteColumns(source)
      return yield* this.#skip()
    }
    for (;;) {
      const open = yield* this.#token()
      if (isSign(open, ';')) return
      if (isSign(open, ',')) continue
      // Such as ON CONFLICT DO NOTHING.
      if (!isSign(open, '(')) return yield* this.#skip()
      yield* this.#tuple(source, columns)
    }
  }

  /** A row of an INSERT, from behind its parenthesis. */
  *#tuple(table: SourceTable, columns: readonly string[]): Step<void> {
    const values: (string | null | undefined)[] = []
    let size = 0
    for (;;) {
      const { value, length, end } = yield* this.#value()
      size += length
      // One more than there are columns is enough to know.
      if (size <= MOST_ROW && values.length <= columns.length) values.push(value)
      if (end === ')') break
    }
    yield size > MOST_ROW ? rowTooLong(table) : this.#rowOf(table, columns, values)
  }

  /** A value with what ends it. An expression is read to its end and left out. */
  *#value(): Step<{ value: string | null | undefined; length: number; end: string }> {
    let [value, length]: [string | null | undefined, number] = [undefined, 0]
    let [isFirst, isCast, sign, depth] = [true, false, '', 0]
    for (;;) {
      const token = this.#scanner.next() ?? (yield* this.#token())
      const { kind, text } = token
      if (kind !== 'sign') {
        if (isFirst) value = kind === 'word' ? literalOf(sign, text) : kind === 'text' ? text : undefined
        // Two values in a row, such as interval '1 day'.
        else if (!isCast) value = undefined
        length += token.tooLong ? MOST_ROW + 1 : text.length
        isFirst = false
        continue
      }
      if (depth === 0 && (text === ',' || text === ')')) return { value, length, end: text }
      if (text === '(' || text === '[') depth += 1
      else if (text === ')' || text === ']') depth -= 1
      if (isFirst && text === '-') {
        sign = text
        continue
      }
      // All that follows a colon is the name of a type. Anything else calculates.
      if (text === ':') isCast = true
      if (!isCast) value = undefined
      isFirst = false
    }
  }

  *#noteColumns(table: SourceTable): Step<void> {
    if (this.#withoutColumns.has(table)) return
    this.#withoutColumns.add(table)
    yield {
      note: sentence`The dump does not name the columns of the table ${table}, so its rows are left out. Make it again without --data-only.`,
    }
  }

  #rowOf(
    table: SourceTable,
    columns: readonly string[],
    values: readonly (string | null | undefined)[],
  ): Read {
    if (values.length !== columns.length) {
      return {
        note: sentence`A row of the table ${table} does not have as many values as there are columns, so it is left out.`,
      }
    }
    const known = columnsOf(table)
    const texts: Record<string, string | null> = {}
    for (const [index, column] of columns.entries()) {
      const value = values[index]
      if (value !== undefined && known.has(column)) texts[column] = value
    }
    return { table, row: decodeRow(table, texts) }
  }
}

const rowTooLong = (table: SourceTable): Read => ({
  note: sentence`A row of the table ${table} is larger than ${{ bytes: MOST_ROW }}, so it is left out.`,
})

const isName = ({ kind }: Token) => kind === 'word' || kind === 'name'
const isSign = ({ kind, text }: Token, sign: string) => kind === 'sign' && text === sign

/** A keyword; empty if this is something else. */
const wordOf = ({ kind, text }: Token) => (kind === 'word' ? text.toUpperCase() : '')

/** A name as the database knows it. */
const nameOf = ({ kind, text }: Token) => (kind === 'word' ? text.toLowerCase() : text)

/** The text form of a literal without quotes; undefined if it is an expression. */
function literalOf(sign: string, word: string): string | null | undefined {
  if (/^[.\d]/.test(word)) return sign + word
  const lower = word.toLowerCase()
  if (lower === 'null') return null
  return lower === 'true' || lower === 'false' ? lower : undefined
}
