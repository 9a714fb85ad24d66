import { inTurn, NOTHING, type Sentence, sentence } from '../sentence.ts'
import { Zones } from '../zone.ts'
import type {
  Choices,
  Here,
  OfferedChoice,
  OldLink,
  PlanLine,
  PlannedAbsence,
  PlannedBlock,
  PlannedConnection,
  PlannedEventType,
  PlannedForm,
  PlannedLink,
  PlannedMessage,
  PlannedSchedule,
  PlannedSetting,
  PlannedTeam,
  PlannedUser,
  PlannedWebhook,
} from './plan.ts'
import type { SourceKey, SourceRow, SourceSettings, SourceTable } from './source.ts'
import { idIn, lineOf } from './values.ts'

const LEFT_OUT_BY_CHOICE = sentence`You chose to leave it out.`
const WITHOUT_ID = sentence`This row has no id, so nothing can refer to it.`
const SECOND = sentence`Another row has the same id.`

/** The rows of a table that is read as a whole. */
type SettingsTable = keyof SourceSettings

/** A plan in the making: every step adds to it, and looks up what earlier steps have added. */
export class Draft {
  readonly source: SourceSettings
  readonly here: Here
  readonly choices: Choices
  readonly zones = new Zones()
  readonly lines: PlanLine[] = []
  readonly offered: OfferedChoice[] = []
  readonly oldLinks: OldLink[] = []
  readonly users = new Map<SourceKey, PlannedUser>()
  readonly teams = new Map<SourceKey, PlannedTeam>()
  readonly schedules = new Map<SourceKey, PlannedSchedule>()
  /** Schedules made of the hours of one event type, by its id. */
  readonly hoursOf = new Map<string, SourceKey>()
  readonly absences: PlannedAbsence[] = []
  readonly eventTypes = new Map<SourceKey, PlannedEventType>()
  readonly forms = new Map<SourceKey, PlannedForm>()
  readonly rest: (PlannedMessage | PlannedWebhook | PlannedLink | PlannedBlock | PlannedConnection)[] = []
  readonly #leftOut: ReadonlySet<string>
  readonly #keys = new Set<SourceKey>()

  constructor(source: SourceSettings, here: Here, choices: Choices) {
    this.source = source
    this.here = here
    this.choices = choices
    this.#leftOut = new Set(choices.leaveOut)
  }

  rows(table: SettingsTable): readonly SourceRow[] {
    // Sources of other versions lack tables.
    return this.source[table] ?? []
  }

  /** Plans every row of a table: what comes of it, or why nothing does. Each row gets a line. */
  eachRow(
    table: SettingsTable,
    nameOf: (row: SourceRow) => string,
    plan: (row: SourceRow, key: SourceKey) => PlannedSetting | Sentence,
  ): void {
    for (const [index, row] of this.rows(table).entries()) {
      const name = nameOf(row)
      const { key, complaint } = this.claimKey(table, row, index)
      if (complaint !== undefined) this.leaveOut(key, name, complaint)
      else if (this.#leftOut.has(key)) this.leaveOut(key, name, LEFT_OUT_BY_CHOICE)
      else {
        const planned = plan(row, key)
        if ('pattern' in planned) this.leaveOut(key, name, planned)
        else this.add(planned)
      }
    }
  }

  /** The key of a row, which no other row has, and what is wrong with its id. */
  claimKey(
    table: SettingsTable,
    row: SourceRow,
    index: number,
  ): { readonly key: SourceKey; readonly complaint: Sentence | undefined } {
    const id = idIn(row)
    const complaint = id === '' ? WITHOUT_ID : this.#keys.has(`${table}/${id}`) ? SECOND : undefined
    const key: SourceKey = complaint === undefined ? `${table}/${id}` : `${table}/${id}#${index + 1}`
    this.#keys.add(key)
    return { key, complaint }
  }

  isLeftOut(key: SourceKey): boolean {
    return this.#leftOut.has(key)
  }

  leaveOut(key: SourceKey, name: string, reason: Sentence): void {
    this.lines.push({ state: 'left-out', key, name: shortened(name, key), sentence: reason })
  }

  add(item: PlannedSetting): void {
    this.lines.push(lineFor(item))
    switch (item.kind) {
      case 'user':
        this.users.set(item.key, item)
        return
      case 'team':
        this.teams.set(item.key, item)
        return
      case 'schedule':
        this.schedules.set(item.key, item)
        return
      case 'absence':
        this.absences.push(item)
        return
      case 'event-type':
        this.eventTypes.set(item.key, item)
        return
      case 'form':
        this.forms.set(item.key, item)
        return
      default:
        this.rest.push(item)
    }
  }

  /** The key of a row that comes along; undefined if it does not. */
  user(id: string): SourceKey | undefined {
    return this.users.has(`users/${id}`) ? `users/${id}` : undefined
  }

  team(id: string): SourceKey | undefined {
    return this.teams.has(`Team/${id}`) ? `Team/${id}` : undefined
  }

  /** The user or team with this key. */
  owner(key: SourceKey): PlannedUser | PlannedTeam | undefined {
    return this.users.get(key) ?? this.teams.get(key)
  }

  settings(): PlannedSetting[] {
    return [
      ...this.users.values(),
      ...this.schedules.values(),
      ...this.absences,
      ...this.teams.values(),
      ...this.eventTypes.values(),
      ...this.forms.values(),
      ...this.rest,
    ]
  }
}

const LONGEST_NAME = 200

const shortened = (name: string, key: SourceKey) => lineOf(name, LONGEST_NAME) || key

/** What the plan says of something that comes along. */
export function lineFor({
  key,
  name,
  notes,
}: {
  readonly key: SourceKey
  readonly name: string
  readonly notes: readonly Sentence[]
}): PlanLine {
  const state = notes.length === 0 ? 'new' : 'changed'
  return { state, key, name: shortened(name, key), sentence: notes.length === 0 ? NOTHING : inTurn(notes) }
}

/** The key of another row. */
export const keyOf = (table: SourceTable, id: string): SourceKey => `${table}/${id}`
