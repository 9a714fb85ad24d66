import { randomBytes } from 'node:crypto'
import { variable, webAddress } from '../../../format/setting.ts'
import type { Kind } from '../../kinds/kind.ts'

const VARIABLES = {
  jitsiUrl: variable(
    'JITSI_URL',
    '',
    'A Jitsi server for meeting links, such as `https://meet.jit.si`. Empty: Jitsi is not offered.',
    webAddress,
  ),
}

/** Rooms on a Jitsi server, which are there as soon as somebody enters. */
export const jitsi = {
  name: 'jitsi',
  title: 'Jitsi',
  setUp: {
    variables: VARIABLES,
    read: (read) => ({ jitsiUrl: read(VARIABLES.jitsiUrl) }),
    open: ({ jitsiUrl }) => (jitsiUrl === '' ? undefined : { apiUrl: jitsiUrl }),
  },
  link: {
    name: 'jitsi',
    title: 'Jitsi',
    comes: 'at-once',
    make: (apiUrl) => `${apiUrl}/${randomBytes(16).toString('hex')}`,
  },
} as const satisfies Kind<{ readonly jitsiUrl: string }>
