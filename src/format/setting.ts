/** An environment variable, and how its text is read. */
export interface Variable<T> {
  readonly name: string
  readonly fallback: string
  /** One line of the table in `docs/settings.md`. */
  readonly doc: string
  readonly parse: (text: string) => T
}

/** Reads a variable of the environment. */
export type ReadVariable = <T>(variable: Variable<T>) => T

/** A value that cannot be used; the message is one line for the console. */
export class SettingsError extends Error {}

export const variable = <T>(
  name: string,
  fallback: string,
  doc: string,
  parse: (text: string) => T,
): Variable<T> => ({ name, fallback, doc, parse })

export const text = (value: string) => value

/** An http or https address without a slash at its end. */
export function webAddress(value: string): string {
  if (value === '') return ''
  const url = URL.parse(value)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new SettingsError('must be an http or https address')
  if (url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new SettingsError('must be an address without a query, a fragment or a password')
  }
  return url.href.replace(/\/+$/, '')
}

/** A client that the operator has registered at a provider. An empty id: none, and the provider is not offered. */
export interface RegisteredClient {
  readonly clientId: string
  readonly clientSecret: string
}

/** Reads both variables of a client; throws if only one of them is set. */
export function readClient(
  read: ReadVariable,
  clientId: Variable<string>,
  clientSecret: Variable<string>,
): RegisteredClient {
  const [id, secret] = [read(clientId), read(clientSecret)]
  if ((id === '') !== (secret === '')) {
    throw new SettingsError(`${clientId.name} and ${clientSecret.name} must be set together.`)
  }
  return { clientId: id, clientSecret: secret }
}
