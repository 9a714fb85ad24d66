import type { AuditEntry } from '../../people/audit.ts'
import { Fact } from './fact.ts'

interface Written {
  readonly audit?: readonly AuditEntry[]
}

/** What hosts did. It is written only: no decision depends on it. */
export class Audit extends Fact<object, Written> {}
