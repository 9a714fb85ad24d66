/** Who comes to a meeting: all of these people, or one of them. */
export function writeNames(tag: string, names: readonly string[], all: boolean): string {
  return new Intl.ListFormat(tag, { type: all ? 'conjunction' : 'disjunction' }).format(names)
}
