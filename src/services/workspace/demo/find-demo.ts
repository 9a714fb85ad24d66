import { findUserByEmail } from '../../../store/people/users.ts'
import type { Context } from '../../context.ts'
import { DEMO_EMAIL } from './seed-demo.ts'

/** The slug of the demo user, while there is one. */
export async function findDemoSlug({ db }: Context): Promise<string | undefined> {
  return (await findUserByEmail(db, DEMO_EMAIL))?.slug
}
