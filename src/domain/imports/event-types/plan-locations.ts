import type { Location, Locations, OfferedLocation } from '../../event-types/location.ts'
import { hostCalls, lacksLink } from '../../event-types/location.ts'
import { isWebAddress } from '../../people/contact.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import type { Draft } from '../draft.ts'
import { OPEN_VIDEO, sameLinks, titleOf } from '../kinds.ts'
import type { SourceRow } from '../source.ts'
import { isNo, lineOf, type Tree, textIn, treesIn, valueIn } from '../values.ts'

const MOST_LOCATIONS = 10

/** What stands for the video services of the source. */
export class VideoServices {
  readonly #draft: Draft
  readonly #missing = new Map<string, Set<string>>()

  constructor(draft: Draft) {
    this.#draft = draft
  }

  /** Our provider; empty: none makes links. */
  providerOf(from: string, eventTypeId: string): string {
    const { linkProviders } = this.#draft.here
    const same = sameLinks(from)
    if (same !== undefined && linkProviders.includes(same)) return same
    const { video = {} } = this.#draft.choices
    this.#missing.set(from, (this.#missing.get(from) ?? new Set()).add(eventTypeId))
    const chosen = Object.hasOwn(video, from) ? video[from] : undefined
    if (chosen === '' || (chosen !== undefined && linkProviders.includes(chosen))) return chosen
    return this.#suggested
  }

  get #suggested(): string {
    return this.#draft.here.linkProviders.includes(OPEN_VIDEO) ? OPEN_VIDEO : ''
  }

  /** Asks what shall stand for those that we lack. */
  offer(): void {
    for (const [from, eventTypes] of this.#missing) {
      this.#draft.offered.push({
        kind: 'video',
        from,
        eventTypes: eventTypes.size,
        options: [...this.#draft.here.linkProviders],
        suggested: this.#suggested,
      })
    }
  }
}

const nameOf = (from: string) => lineOf(titleOf(from), 60)

/** Where the meetings of an event type are. */
export function planLocations(
  row: SourceRow,
  eventTypeId: string,
  seats: number,
  services: VideoServices,
  notes: Sentence[],
): Locations {
  const given = treesIn(row, 'locations')
  const isOpen = given.length === 0
  if (isOpen) notes.push(sentence`It names no location there, so it is a video call here.`)
  // Without any, Cal.com meets on its own video service.
  const all = (isOpen ? [{ type: 'integrations:daily' }] : given).map((one) => ({
    location: planLocation(one, eventTypeId, services, isOpen ? [] : notes),
    label: lineOf(textIn(one, 'customLabel'), 200),
  }))
  const distinct = all.filter(
    (one, index) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index,
  )
  const most = seats > 1 ? 1 : MOST_LOCATIONS
  if (seats > 1 && distinct.length > 1)
    notes.push(sentence`Guests who share a meeting meet in one place here: the first location stays.`)
  else if (distinct.length > most)
    notes.push(
      sentence`Guests choose from at most ${MOST_LOCATIONS} locations here: the last ones were left out.`,
    )
  const kept = distinct.slice(0, most)
  const [first] = kept as [(typeof kept)[number]]
  // Guests are asked for their number only where they choose.
  const isListed = kept.length > 1 || first.label !== '' || hostCalls(first.location)
  const locations = kept.map(
    ({ location: { type, value, provider = '' }, label }, index): OfferedLocation => ({
      id: `location-${index + 1}`,
      type,
      value,
      provider,
      label,
    }),
  )
  return { location: first.location, locations: isListed ? locations : [] }
}

function planLocation(
  given: Tree,
  eventTypeId: string,
  services: VideoServices,
  notes: Sentence[],
): Location {
  const type = textIn(given, 'type')
  switch (type) {
    case 'inPerson': {
      const value = lineOf(textIn(given, 'address'), 2000)
      if (value !== '' && isNo(valueIn(given, 'displayLocationPublicly')))
        say(notes, sentence`Guests see the address before they book.`)
      return { type: 'InPerson', value }
    }
    case 'attendeeInPerson':
      say(notes, sentence`Guests aren’t asked where to meet them: please add a question for their address.`)
      return { type: 'InPerson', value: '' }
    case 'phone':
      return { type: 'Phone', value: '' }
    case 'userPhone':
      return { type: 'Phone', value: lineOf(textIn(given, 'hostPhoneNumber'), 2000) }
    case 'link': {
      const link = lineOf(textIn(given, 'link'), 2000)
      if (isWebAddress(link)) return { type: 'Link', value: link }
      say(notes, sentence`The link of the meeting can’t be read, so it is a video call without a link.`)
      return { type: 'Video', value: '' }
    }
    case 'somewhereElse':
      say(notes, sentence`The place is open there: please write it into the location.`)
      return { type: 'InPerson', value: '' }
    default:
      return planVideo(type, given, eventTypeId, services, notes)
  }
}

function planVideo(
  from: string,
  given: Tree,
  eventTypeId: string,
  services: VideoServices,
  notes: Sentence[],
): Location {
  const link = lineOf(textIn(given, 'link'), 2000)
  if (isWebAddress(link)) return { type: 'Video', value: link }
  const provider = services.providerOf(from || 'conferencing', eventTypeId)
  const location: Location = { type: 'Video', value: '', ...(provider !== '' && { provider }) }
  const name = nameOf(from || 'conferencing')
  if (lacksLink(location))
    say(notes, sentence`${name} is not offered here, so video calls have no link until you add one.`)
  else if (sameLinks(from) !== provider) say(notes, sentence`${name} becomes ${titleOf(provider)}.`)
  return location
}

/** Each note once. */
function say(notes: Sentence[], note: Sentence): void {
  const text = JSON.stringify(note)
  if (!notes.some((one) => JSON.stringify(one) === text)) notes.push(note)
}
