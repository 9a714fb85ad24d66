import { preparedInsertAll } from '../../engine/prepared.ts'
import { AUDIT_COLUMNS, auditRow } from '../../people/audit.ts'
import { type StoredFact, writing } from './fact.ts'

export const audit: StoredFact = {
  write: ({ audit = [] }) => [writing(audit.map(auditRow), insertAudit)],
}

const insertAudit = preparedInsertAll('audit', AUDIT_COLUMNS)
