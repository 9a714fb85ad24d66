import { sentence } from '../sentence.ts'

/** What the operators of rules are called, as in the dashboard. */
export const OPERATOR_NAMES = {
  equals: sentence`“is”`,
  notEquals: sentence`“is not”`,
  contains: sentence`“contains”`,
  notContains: sentence`“does not contain”`,
  startsWith: sentence`“starts with”`,
  endsWith: sentence`“ends with”`,
  isEmpty: sentence`“is empty”`,
  isNotEmpty: sentence`“is not empty”`,
  isAnyOf: sentence`“is one of”`,
  isOnlyOf: sentence`“is only”`,
  lessThan: sentence`“is less than”`,
  atMost: sentence`“is at most”`,
  greaterThan: sentence`“is greater than”`,
  atLeast: sentence`“is at least”`,
} as const

/** The same for those of host filters. */
export const HOST_OPERATOR_NAMES = {
  is: OPERATOR_NAMES.equals,
  isNot: OPERATOR_NAMES.notEquals,
  isAnyOf: OPERATOR_NAMES.isAnyOf,
  contains: OPERATOR_NAMES.contains,
} as const
