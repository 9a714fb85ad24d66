import type { HostMailLimits } from '../../../services/bookings/host/host-mails.ts'
import type { Context } from '../../../services/context.ts'

/** For routes that mail guests. */
export interface HostMailOptions {
  readonly context: Context
  readonly mailLimits: HostMailLimits
}
