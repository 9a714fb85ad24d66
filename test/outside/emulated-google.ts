import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createServer } from '@emulators/core'
import googlePlugin, { type GoogleSeedConfig, seedFromConfig } from '@emulators/google'
import { CLIENT } from './oauth.ts'

/** Google as somebody else reads its documentation: a second opinion on what our own stand-in says. */
export interface EmulatedGoogle {
  readonly url: string
  /** As the operator would set them. */
  readonly settings: {
    readonly clientId: string
    readonly clientSecret: string
    readonly authorizeUrl: string
    readonly tokenUrl: string
    readonly revokeUrl: string
    readonly apiUrl: string
  }
  /** Chooses this account on the page at `authorizationUrl`. Returns where the browser is sent. */
  choose(authorizationUrl: string, email: string): Promise<string>
  close(): Promise<void>
}

export async function startEmulatedGoogle(
  redirectUri: string,
  seed: Omit<GoogleSeedConfig, 'oauth_clients'>,
): Promise<EmulatedGoogle> {
  const { app, store, baseUrl } = createServer(googlePlugin)
  const { clientId: client_id, clientSecret: client_secret } = CLIENT
  const client = { client_id, client_secret, name: 'Punctual', redirect_uris: [redirectUri] }
  seedFromConfig(store, baseUrl, { ...seed, oauth_clients: [client] })
  const server = createHttpServer(async (request, response) => {
    const body = await text(request)
    const headers = new Headers(
      Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      ),
    )
    const { method = 'GET', url = '/' } = request
    const answer = await app.fetch(
      new Request(new URL(url, baseUrl), { method, headers, ...(body !== '' && { body }) }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    settings: {
      ...CLIENT,
      authorizeUrl: `${url}/o/oauth2/v2/auth`,
      tokenUrl: `${url}/oauth2/token`,
      revokeUrl: `${url}/oauth2/revoke`,
      apiUrl: url,
    },
    async choose(authorizationUrl, email) {
      const page = await (await fetch(authorizationUrl)).text()
      // The button of this account is a form with everything that the page was asked for.
      const form = page.split('<form').find((one) => one.includes(`value="${email}"`)) ?? ''
      const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']): [string, string] => [name, value.replaceAll('&amp;', '&')],
      )
      const action = /action="([^"]+)"/.exec(form)?.[1] ?? ''
      const answer = await fetch(url + action, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      })
      return answer.headers.get('location') ?? ''
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
