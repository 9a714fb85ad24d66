/** One of the servers that a URL names. */
export interface Host {
  readonly host: string
  readonly port: number
}

const DEFAULT_PORT = 5432
const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/

/** The hosts in `postgres://user@one:5432,two:5432/name`, and the URL with only the first, which drivers can read. */
export function splitHosts(url: string): { readonly url: string; readonly hosts: readonly Host[] } {
  const [, before = '', authority = '', after = ''] = URL_PARTS.exec(url) ?? []
  const entries = authority.split(',')
  const hosts = entries.map((entry) => {
    const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? []
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) || DEFAULT_PORT }
  })
  return { url: `${before}${entries[0]}${after}`, hosts }
}

/** Fails unless this host can be written to. */
type Probe = (host: Host) => Promise<void>

/**
 * Knows which of several servers can be written to: after a failover, another one.
 *
 * Connections that are still open to the former one are cut as soon as its successor is known, since a machine
 * that has gone says nothing.
 */
export class Primary {
  readonly #hosts: readonly Host[]
  readonly #probe: Probe
  /** What cuts a connection, by its host. */
  readonly #connections = new Map<() => void, Host>()
  #current: Host | undefined
  #finding: Promise<Host> | undefined

  constructor(hosts: readonly Host[], probe: Probe) {
    this.#hosts = hosts
    this.#probe = probe
  }

  /** The host that can be written to; the first one, if several can. */
  async find(): Promise<Host> {
    if (this.#current !== undefined) return this.#current
    this.#finding ??= this.#ask().finally(() => {
      this.#finding = undefined
    })
    return this.#finding
  }

  async #ask(): Promise<Host> {
    const probes = this.#hosts.map((host) => this.#probe(host))
    // None of them may go unhandled once an earlier one has succeeded.
    for (const probe of probes) probe.catch(() => {})
    const reasons: unknown[] = []
    for (const [i, probe] of probes.entries()) {
      try {
        await probe
        this.#current = this.#hosts[i] as Host
        for (const [cut, host] of this.#connections) if (host !== this.#current) cut()
        return this.#current
      } catch (error) {
        reasons.push(error)
      }
    }
    throw new NoPrimary(reasons)
  }

  /** Call when a connection to a host has failed. */
  suspect(host: Host): void {
    if (this.#current === host) this.#current = undefined
    // At once, because idle connections to a machine that has gone would only be found one by one.
    if (this.#current === undefined) this.find().catch(() => {})
  }

  /** Notes an open connection; call the returned function when it has ended. */
  note(host: Host, cut: () => void): () => void {
    this.#connections.set(cut, host)
    return () => this.#connections.delete(cut)
  }
}

/** None of the servers could be written to. */
class NoPrimary extends Error {
  /** A connection could not be made: retrying later may work. */
  readonly code = '08001'

  constructor(reasons: readonly unknown[]) {
    const said = reasons.map((reason) => (reason instanceof Error ? reason.message || reason.name : reason))
    super(`No server can be written to: ${said.join('; ')}`)
  }
}
