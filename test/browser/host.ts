import type { BrowserContextOptions, Page } from 'playwright-core'
import { createLink } from '../../src/services/people/sign-in/sign-in.ts'
import type { Stage } from './stage.ts'

/** Opens a browser and signs in as a host does: with the button on the link's page. */
export async function visitAsHost(
  stage: Stage,
  email: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await stage.visit(await signInPath(stage, email), options)
  // Signing in leads to the page that was asked for.
  await page.evaluate((wanted) => localStorage.setItem('punctual:return-to', wanted), path)
  await page.getByRole('button', { name: 'Sign in to Punctual' }).click()
  await page.locator('.dashboard h1').waitFor()
  return page
}

/** The path of a link that signs this address in. */
export async function signInPath(stage: Stage, email: string): Promise<string> {
  const { pathname, hash } = new URL(await createLink(stage.context, email))
  return pathname + hash
}
