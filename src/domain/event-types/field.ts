import type { Location } from './location.ts'

/** How the value of a field is stored: as it is, as 0 or 1, or as JSON. A location has three columns of its own. */
type FieldKind = 'plain' | 'flag' | 'json' | 'location'

/** What is known of a field besides its name. */
export interface Field<Value = unknown, Kind extends FieldKind = FieldKind, Shown extends boolean = boolean> {
  readonly kind: Kind
  /** Its value in a new event type. */
  readonly initial: Value
  /** Whether guests see it before they book. */
  readonly shown: Shown
}

export type Fields = Readonly<Record<string, Field>>

/** The values of these fields. */
export type ValuesOf<All extends Fields> = { readonly [Name in keyof All]: All[Name]['initial'] }

/** The names of the fields that guests see. */
export type ShownOf<All extends Fields> = {
  [Name in keyof All]: All[Name]['shown'] extends true ? Name : never
}[keyof All]

/** A text or a number. */
export const plain = <Value extends string | number | null>(
  initial: Value,
): Field<Value, 'plain', false> => ({
  kind: 'plain',
  initial,
  shown: false,
})

/** Yes or no. */
export const flag = (initial: boolean): Field<boolean, 'flag', false> => ({
  kind: 'flag',
  initial,
  shown: false,
})

/** A list, or an object. */
export const json = <Value extends object | null>(initial: Value): Field<Value, 'json', false> => ({
  kind: 'json',
  initial,
  shown: false,
})

/** Where a meeting takes place. */
export const location = (initial: Location): Field<Location, 'location', false> => ({
  kind: 'location',
  initial,
  shown: false,
})

/** The same field, for guests to see. */
export const shown = <Value, Kind extends FieldKind>({
  kind,
  initial,
}: Field<Value, Kind>): Field<Value, Kind, true> => ({ kind, initial, shown: true })

export function initialValues<All extends Fields>(fields: All): ValuesOf<All> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { initial }]) => [name, initial]),
  ) as ValuesOf<All>
}
