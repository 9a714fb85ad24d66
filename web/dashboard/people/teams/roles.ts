import { ROLES, type Role } from '../../../../src/domain/people/user.ts'

/** The role that a select offers under this id. */
export const roleOf = (id: string): Role => ROLES.find((role) => role === id) ?? 'member'
