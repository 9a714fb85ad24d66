import type { FastifySchemaValidationError } from 'fastify'
import { invalidField, Problem } from '../domain/problem.ts'
import { type Sentence, sentence, type Value } from '../domain/sentence.ts'

/** A validation error, with what Ajv's `verbose` option adds. */
interface Invalid extends FastifySchemaValidationError {
  readonly schema?: unknown
  readonly parentSchema?: Schema
  readonly data?: unknown
}

interface Schema {
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>
}

/** A refusal of a field that the schema doesn't have. */
export class UnknownField extends Problem {
  constructor(field: string) {
    super('invalid', sentence`Unknown field "${field.slice(0, 200)}".`, { field })
  }
}

/** Turns a validation error into a sentence that names the field as the request does. */
export function describeInvalid(errors: FastifySchemaValidationError[], where: string): Problem {
  const [first] = errors
  if (first === undefined) return new Problem('invalid', sentence`The request is not valid.`)
  return new Problem('invalid', describe(first, where), { field: fieldOf(first) })
}

/** The same for the host API, which names the field in words. */
export function describeInvalidToHosts(errors: FastifySchemaValidationError[]): Problem {
  const error = findMeant(errors)
  if (error === undefined) return new Problem('invalid', sentence`The request is not valid.`)
  const field = fieldOf(error)
  if (error.keyword === 'additionalProperties' && field !== undefined) return new UnknownField(field)
  const complaint = complaintAbout(error)
  return field === undefined
    ? new Problem('invalid', { ...complaint, field: sentence`The request` })
    : invalidField(field, complaint)
}

/** The path of the refused field, with dots; undefined for the request as a whole. */
function fieldOf({ instancePath, keyword, params }: FastifySchemaValidationError): string | undefined {
  const keys = instancePath.split('/').slice(1)
  if (keyword === 'required') keys.push(String(params.missingProperty))
  if (keyword === 'additionalProperties') keys.push(String(params.additionalProperty))
  const path = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
  return path === '' ? undefined : path
}

/**
 * The error to report. In a union whose branches differ by their `kind`, that of the branch with the given kind.
 *
 * Ajv reports the first error of each branch, and then one for the union.
 */
function findMeant(errors: readonly Invalid[]): Invalid | undefined {
  const union = errors.find(({ keyword }) => keyword === 'anyOf')
  const branches = (union?.schema ?? []) as readonly Schema[]
  const choices = branches.map(({ properties }) => properties?.kind?.enum ?? [])
  if (union === undefined || choices.flat().length === 0) return errors[0]
  const { kind } = Object(union.data) as { kind?: unknown }
  const meant = choices.findIndex((kinds) => kinds.some((one) => one === kind))
  if (meant >= 0)
    return errors.find(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/${meant}/`))
  const { instancePath, schemaPath } = union
  if (kind === undefined) {
    return { instancePath, schemaPath, keyword: 'required', params: { missingProperty: 'kind' } }
  }
  const params = { allowedValues: choices.flat() }
  return { instancePath: `${instancePath}/kind`, schemaPath, keyword: 'enum', params }
}

function complaintAbout({ keyword, params, parentSchema }: Invalid): Sentence {
  switch (keyword) {
    case 'required':
      return sentence`{field} is required.`
    case 'type':
      return TYPES[String(params.type)] ?? sentence`{field} must be ${String(params.type)}.`
    case 'maxLength':
      return sentence`{field} must be at most ${Number(params.limit)} characters.`
    case 'minLength':
    case 'minProperties':
      return sentence`{field} must not be empty.`
    case 'minimum':
    case 'maximum': {
      const { minimum, maximum } = parentSchema ?? {}
      if (maximum === undefined) return sentence`{field} must be at least ${Number(minimum)}.`
      if (minimum === undefined) return sentence`{field} must be at most ${maximum}.`
      return sentence`{field} must be from ${minimum} to ${maximum}.`
    }
    case 'minItems':
      if (params.limit === 1) return sentence`{field} must not be empty.`
      return sentence`{field} must have at least ${Number(params.limit)} entries.`
    case 'maxItems':
    case 'maxProperties':
      return sentence`{field} must have at most ${Number(params.limit)} entries.`
    case 'enum':
      return sentence`{field} must be one of ${choicesIn(params.allowedValues as string[])}.`
    default:
      return sentence`{field} is not valid.`
  }
}

/** All choices, in words. */
function choicesIn(values: readonly string[]): Value {
  const named = values.filter((value) => value !== '')
  return values.includes('') ? sentence`${named}, or empty` : named
}

const TYPES: Readonly<Record<string, Sentence>> = {
  integer: sentence`{field} must be a whole number.`,
  string: sentence`{field} must be text.`,
  boolean: sentence`{field} must be true or false.`,
  array: sentence`{field} must be a list.`,
  object: sentence`{field} must be an object.`,
}

function describe({ instancePath, keyword, params }: FastifySchemaValidationError, where: string): Sentence {
  const path = instancePath.slice(1).replaceAll('/', '.')
  const whole = where === 'body' ? sentence`The body` : sentence`The ${where}`
  const field = path === '' ? whole : path
  switch (keyword) {
    case 'required': {
      const missing = String(params.missingProperty)
      return { ...sentence`{field} is required.`, field: path === '' ? missing : `${path}.${missing}` }
    }
    case 'type':
      return {
        ...(JSON_TYPES[String(params.type)] ?? sentence`{field} must be a ${String(params.type)}.`),
        field,
      }
    case 'maxLength':
      return { ...sentence`{field} must be at most ${Number(params.limit)} characters.`, field }
    case 'minLength':
      return { ...sentence`{field} must not be empty.`, field }
    case 'enum':
      return { ...sentence`{field} must be one of ${choicesIn(params.allowedValues as string[])}.`, field }
    case 'anyOf':
    case 'const':
      return { ...sentence`{field} is not one of the values allowed.`, field }
    case 'maxProperties':
      return { ...sentence`{field} has more than ${Number(params.limit)} entries.`, field }
    default:
      return { ...sentence`{field} is not valid.`, field }
  }
}

/** The types as programs call them, for those who write one. */
const JSON_TYPES: Readonly<Record<string, Sentence>> = {
  integer: sentence`{field} must be an integer.`,
  string: sentence`{field} must be text.`,
  boolean: sentence`{field} must be a boolean.`,
  array: sentence`{field} must be an array.`,
  object: sentence`{field} must be an object.`,
}
