import type { ReadVariable, Variable } from '../../format/setting.ts'
import type { AccountProvider, Provider } from '../accounts/provider.ts'
import type { CalendarSource } from './calendar-source.ts'
import type { LinkMaker } from './link-maker.ts'

/** How the operator sets a provider up. */
interface SetUp<Settings extends object = object> {
  /** The variables of the environment; one key may not stand in two kinds. */
  readonly variables: Readonly<Record<string, Variable<unknown>>>
  /** What they say, as a part of the service's settings. */
  read(read: ReadVariable): Settings
  /** Undefined if the operator has not set it up. */
  open(settings: Settings): Provider | AccountProvider | undefined
}

/** Everything that this service knows of one kind of calendars, of meeting links, or of both. */
export interface Kind<Settings extends object = object> {
  /** In addresses, in the database and in the API; permanent. */
  readonly name: string
  /** What people call it. */
  readonly title: string
  /** Left out where it works without. */
  readonly setUp?: SetUp<Settings>
  /** Left out where it has no calendars. */
  readonly calendar?: CalendarSource
  /** Left out where it makes no meeting links. */
  readonly link?: LinkMaker
}

/** A kind that makes meeting links. */
export interface LinkKind extends Kind {
  readonly link: LinkMaker
}

/** The kinds that a service knows, and questions about all of them. */
export interface Kinds {
  readonly all: readonly Kind[]
  readonly names: {
    /** Kinds of calendars. */
    readonly calendars: readonly string[]
    /** Kinds whose calendars can be asked about a span. */
    readonly live: readonly string[]
    /** Providers at which hosts connect accounts. */
    readonly accounts: readonly string[]
    /** Kinds of meeting links. */
    readonly links: readonly string[]
  }
  find(name: string): Kind | undefined
  /** By the name of its links. */
  findLink(link: string): LinkKind | undefined
  /** What people call it; its name if this service does not know it. */
  titleOf(name: string): string
}

/** Whether hosts connect an account there. */
const hasAccounts = ({ calendar, link }: Kind): boolean =>
  calendar?.connect === 'account' || link?.comes === 'from-account'

const makesLinks = (kind: Kind): kind is LinkKind => kind.link !== undefined

/** What a service knows with these kinds; they are listed in this order. */
export function kindsOf(all: readonly Kind[]): Kinds {
  const byName = new Map(all.map((kind) => [kind.name, kind]))
  const linked = all.filter(makesLinks)
  const byLink = new Map(linked.map((kind) => [kind.link.name, kind]))
  if (byName.size < all.length || byLink.size < linked.length) {
    throw new Error('Two kinds of calendars or links have the same name.')
  }
  const namesOf = (kinds: readonly Kind[]) => kinds.map(({ name }) => name)
  return {
    all,
    names: {
      calendars: namesOf(all.filter(({ calendar }) => calendar !== undefined)),
      live: namesOf(all.filter(({ calendar }) => calendar?.ask !== undefined)),
      accounts: namesOf(all.filter(hasAccounts)),
      links: [...byLink.keys()],
    },
    find: (name) => byName.get(name),
    findLink: (link) => byLink.get(link),
    titleOf: (name) => byName.get(name)?.title ?? name,
  }
}
