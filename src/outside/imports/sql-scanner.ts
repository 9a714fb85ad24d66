/** A piece of SQL. A word is as it was written, a name was in double quotes, a text in single ones. */
export interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'sign'
  readonly text: string
  /** There was more of it than may be kept. */
  readonly tooLong?: true
}

export interface Line {
  readonly text: string
  readonly tooLong: boolean
  /** It ended with a line feed, not with the text. */
  readonly complete: boolean
}

/** What is being skipped or collected, however long it is. */
interface Open {
  readonly kind: 'text' | 'name' | 'line' | 'block' | 'dollar'
  /** What ends it. */
  readonly close: string
  /** Whether backslashes have a meaning. */
  readonly escapes: boolean
  readonly parts: string[]
  size: number
  /** Comments in a comment. */
  depth: number
}

const SPACE = /\s+/y
const WORD = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y
const NUMBER = /\.?\d[\w.]*(?:(?<=[eE])[+-]\d+)?/y
const DOLLAR = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y

/** No word of SQL and no tag is as long. */
const MOST_WORD = 1000

/** A backslash with all that may belong to it. */
const LONGEST_ESCAPE = 10

/** How much of a comment is kept. */
const MOST_COMMENT = 100

/**
 * Cuts SQL into tokens, or into lines, as it arrives: memory does not grow with the text. `most` is the longest text, name or
 * line that is kept.
 */
export class SqlScanner {
  readonly #most: number
  readonly #onComment: (text: string) => void
  #text = ''
  #at = 0
  #ended = false
  #open: Open | undefined
  #unread: Token | undefined
  #lineParts: string[] = []
  #lineSize = 0

  constructor(most: number, onComment: (text: string) => void) {
    this.#most = most
    this.#onComment = onComment
  }

  push(text: string): void {
    this.#text = this.#at >= this.#text.length ? text : this.#text.slice(this.#at) + text
    this.#at = 0
  }

  /** Nothing will be pushed any more. */
  end(): void {
    this.#ended = true
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Whether the text ended in a literal or a comment. */
  get unfinished(): boolean {
    return this.#open !== undefined
  }

  /** Gives this token again. */
  unread(token: Token): void {
    this.#unread = token
  }

  /** The next token; undefined if there is none before more is pushed. */
  next(): Token | undefined {
    const again = this.#unread
    if (again !== undefined) {
      this.#unread = undefined
      return again
    }
    for (;;) {
      if (this.#open !== undefined) {
        const open = this.#open
        if (!this.#close(open)) return undefined
        this.#open = undefined
        const token = this.#tokenOf(open)
        if (token !== undefined) return token
        continue
      }
      const spaces = this.#match(SPACE)
      if (spaces !== undefined) this.#at += spaces.length
      if (this.#at >= this.#text.length) return undefined
      const token = this.#begin()
      if (token === 'more') return undefined
      if (token !== undefined) return token
    }
  }

  /** The next line, without its end; undefined if it is not complete yet. */
  line(): Line | undefined {
    const end = this.#text.indexOf('\n', this.#at)
    const upTo = end < 0 ? this.#text.length : end
    this.#keepLine(this.#text.slice(this.#at, upTo))
    this.#at = end < 0 ? upTo : end + 1
    if (end < 0 && !(this.#ended && this.#lineSize > 0)) return undefined
    const tooLong = this.#lineSize > this.#most
    const text = tooLong ? '' : this.#lineParts.join('')
    this.#lineParts = []
    this.#lineSize = 0
    return { text: text.endsWith('\r') ? text.slice(0, -1) : text, tooLong, complete: end >= 0 }
  }

  #keepLine(part: string): void {
    this.#lineSize += part.length
    if (this.#lineSize > this.#most) this.#lineParts = []
    else if (part !== '') this.#lineParts.push(part)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.[0]
  }

  /** Takes a short token, or opens one that may be long. */
  #begin(): Token | 'more' | undefined {
    const char = this.#text[this.#at] ?? ''
    const next = this.#text[this.#at + 1]
    if (next === undefined && !this.#ended && '-/'.includes(char)) return 'more'
    if (char === "'") return this.#start('text', 1, "'")
    if (char === '"') return this.#start('name', 1, '"')
    if (char === '-' && next === '-') return this.#start('line', 2, '\n')
    // A command of psql, such as \restrict.
    if (char === '\\') return this.#start('line', 1, '\n')
    if (char === '/' && next === '*') return this.#start('block', 2, '*/')
    if (char === '$') return this.#beginDollar()
    const word = this.#match(WORD) ?? this.#match(NUMBER)
    if (word === undefined) {
      this.#at += 1
      return { kind: 'sign', text: char }
    }
    const end = this.#at + word.length
    if (end === this.#text.length && !this.#ended && word.length < MOST_WORD) return 'more'
    this.#at = end
    if (this.#text[end] === "'" && /^[eE]$/.test(word)) return this.#start('text', 1, "'", true)
    return { kind: 'word', text: word }
  }

  #beginDollar(): Token | 'more' | undefined {
    const tag = this.#match(DOLLAR)
    if (tag !== undefined) return this.#start('dollar', tag.length, tag)
    if (this.#text.length - this.#at < MOST_WORD && !this.#ended) return 'more'
    this.#at += 1
    return { kind: 'sign', text: '$' }
  }

  #start(kind: Open['kind'], length: number, close: string, escapes = false): undefined {
    this.#at += length
    this.#open = { kind, close, escapes, parts: [], size: 0, depth: 1 }
  }

  /** Goes on to the end of what is open; whether it was reached. */
  #close(open: Open): boolean {
    switch (open.kind) {
      case 'text':
      case 'name':
        return this.#closeQuoted(open)
      case 'block':
        return this.#closeBlock(open)
      default:
        return this.#closePlain(open)
    }
  }

  #closeQuoted(open: Open): boolean {
    for (;;) {
      const found = open.escapes ? this.#search(QUOTE_OR_BACKSLASH) : this.#text.indexOf(open.close, this.#at)
      this.#keep(open, found < 0 ? this.#text.length : found)
      if (found < 0) return false
      if (this.#text[found] === '\\') {
        if (this.#text.length - found < LONGEST_ESCAPE && !this.#ended) return false
        if (!this.#keepEscape(open)) return false
        continue
      }
      const next = this.#text[found + 1]
      if (next === undefined && !this.#ended) return false
      this.#at = found + 1
      if (next !== open.close) return true
      // Twice means itself.
      this.#keep(open, found + 2)
    }
  }

  #search(pattern: RegExp): number {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.index ?? -1
  }

  #keepEscape(open: Open): boolean {
    const [whole, octal, hex, code, char] = this.#escape() ?? []
    if (whole === undefined) return false
    this.#at += whole.length
    if (octal !== undefined) this.#add(open, String.fromCharCode(Number.parseInt(octal, 8) & 0xff))
    else if (hex !== undefined) this.#add(open, String.fromCharCode(Number.parseInt(hex, 16)))
    else if (code !== undefined) this.#add(open, codePoint(code))
    else this.#add(open, ESCAPES[char ?? ''] ?? char ?? '')
    return true
  }

  #escape(): RegExpExecArray | null {
    ESCAPE.lastIndex = this.#at
    return ESCAPE.exec(this.#text)
  }

  #closeBlock(open: Open): boolean {
    for (;;) {
      BLOCK.lastIndex = this.#at
      const found = BLOCK.exec(this.#text)
      if (found === null) {
        // The first half of what is looked for may be there already.
        this.#at = Math.max(this.#at, this.#text.length - 1)
        return false
      }
      this.#at = BLOCK.lastIndex
      open.depth += found[0] === '/*' ? 1 : -1
      if (open.depth === 0) return true
    }
  }

  #closePlain(open: Open): boolean {
    const end = this.#text.indexOf(open.close, this.#at)
    if (end >= 0) {
      this.#keep(open, end)
      this.#at = end + open.close.length
      return true
    }
    this.#keep(open, Math.max(this.#at, this.#text.length - open.close.length + 1))
    // The last line may lack its end.
    return open.kind === 'line' && this.#ended
  }

  /** Keeps the text up to here, if it is still of use. */
  #keep(open: Open, upTo: number): void {
    if (upTo > this.#at) this.#add(open, this.#text.slice(this.#at, upTo))
    this.#at = upTo
  }

  #add(open: Open, text: string): void {
    open.size += text.length
    if (open.kind === 'dollar') return
    if (open.kind === 'line') {
      if (open.size <= MOST_COMMENT) open.parts.push(text)
    } else if (open.size > this.#most) open.parts.length = 0
    else open.parts.push(text)
  }

  #tokenOf({ kind, parts, size }: Open): Token | undefined {
    if (kind === 'line') this.#onComment(parts.join('').trim())
    if (kind === 'block' || kind === 'line') return undefined
    const text = parts.join('')
    if (kind === 'dollar') return { kind: 'sign', text: '$' }
    return size > this.#most ? { kind, text, tooLong: true } : { kind, text }
  }
}

const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})|([\s\S]))/y

const QUOTE_OR_BACKSLASH = /['\\]/g

const BLOCK = /\/\*|\*\//g

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function codePoint(code: string): string {
  const point = Number.parseInt(code.slice(1), 16)
  return point > 0x10ffff ? '' : String.fromCodePoint(point)
}
