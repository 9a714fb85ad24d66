/** Our sentences in one language, by their English patterns, and the names of fields by their English ones. */
export type Catalogue = Readonly<Record<string, string>>
