import { Problem } from '../../domain/problem.ts'
import { openEventType } from '../../services/bookings/guest/open-event-type.ts'
import type { Context } from '../../services/context.ts'
import { getForm } from '../../services/forms/get.ts'

/** What the examples of a page show. */
export interface ShownLink {
  readonly link: string
  /** Whether it can be booked or answered here, so that examples can be alive. */
  readonly offered: boolean
}

const LINK = /^[a-z0-9-]+\/(?:forms\/)?[a-z0-9-]+$/

/** The `link` that a reader asks for, or else `other`. */
export async function findShownLink(context: Context, query: unknown, other: string): Promise<ShownLink> {
  const { link: asked } = query as { readonly link?: unknown }
  const link = typeof asked === 'string' && LINK.test(asked) ? asked : other
  return { link, offered: await isOffered(context, link) }
}

async function isOffered(context: Context, link: string): Promise<boolean> {
  const [userSlug = '', slug = '', formSlug] = link.split('/')
  try {
    if (formSlug === undefined) await openEventType(context, userSlug, slug)
    else await getForm(context, userSlug, formSlug)
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return false
    throw error
  }
}
