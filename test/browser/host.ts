import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { createLink } from '../../src/services/people/sign-in/sign-in.ts'
import type { Stage } from './stage.ts'

/** Opens a browser of a host who has signed in. That the sign-in page does so has tests of its own. */
export async function visitAsHost(
  stage: Stage,
  email: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const token = new URL(await createLink(stage.context, email)).hash.replace('#token=', '')
  const page = await stage.visit(path, options, async (arriving) => {
    // The context keeps the cookie that the answer brings.
    const answer = await arriving.context().request.post(`${stage.url}/api/auth/verify`, { data: { token } })
    assert.equal(answer.status(), 200)
  })
  await page.locator('.dashboard h1').waitFor()
  return page
}

/** The path of a link that signs this address in. */
export async function signInPath(stage: Stage, email: string): Promise<string> {
  const { pathname, hash } = new URL(await createLink(stage.context, email))
  return pathname + hash
}
