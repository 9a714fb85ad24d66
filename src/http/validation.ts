import type { FastifySchemaValidationError } from 'fastify'
import { invalidField, Problem } from '../domain/problem.ts'

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
    super('invalid', `Unknown field "${field.slice(0, 200)}".`, { field })
  }
}

/** Turns a validation error into a sentence that names the field as the request does. */
export function describeInvalid(errors: FastifySchemaValidationError[], where: string): Problem {
  const [first] = errors
  if (first === undefined) return new Problem('invalid', 'The request is not valid.')
  return new Problem('invalid', describe(first, where), { field: fieldOf(first) })
}

/** The same for the host API, which names the field in words. */
export function describeInvalidToHosts(errors: FastifySchemaValidationError[]): Problem {
  const error = findMeant(errors)
  if (error === undefined) return new Problem('invalid', 'The request is not valid.')
  const field = fieldOf(error)
  if (error.keyword === 'additionalProperties' && field !== undefined) return new UnknownField(field)
  const complaint = complaintAbout(error)
  return field === undefined
    ? new Problem('invalid', `The request ${complaint}`)
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

function complaintAbout({ keyword, params, parentSchema }: Invalid): string {
  switch (keyword) {
    case 'required':
      return 'is required.'
    case 'type':
      return `must be ${TYPES[String(params.type)] ?? params.type}.`
    case 'maxLength':
      return `must be at most ${params.limit} characters.`
    case 'minLength':
    case 'minProperties':
      return 'must not be empty.'
    case 'minimum':
    case 'maximum': {
      const { minimum, maximum } = parentSchema ?? {}
      if (maximum === undefined) return `must be at least ${minimum}.`
      return minimum === undefined ? `must be at most ${maximum}.` : `must be from ${minimum} to ${maximum}.`
    }
    case 'minItems':
      return params.limit === 1 ? 'must not be empty.' : `must have at least ${params.limit} entries.`
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${params.limit} entries.`
    case 'enum':
      return `must be one of ${choicesIn(params.allowedValues as string[])}.`
    default:
      return 'is not valid.'
  }
}

/** All choices, in words. */
function choicesIn(values: readonly string[]): string {
  const named = values.filter((value) => value !== '').join(', ')
  return values.includes('') ? `${named}, or empty` : named
}

const TYPES: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

function describe({ instancePath, keyword, params }: FastifySchemaValidationError, where: string): string {
  const field = instancePath.slice(1).replaceAll('/', '.')
  const name = field === '' ? (where === 'body' ? 'The body' : `The ${where}`) : field
  switch (keyword) {
    case 'required': {
      const missing = String(params.missingProperty)
      return `${field === '' ? missing : `${field}.${missing}`} is required.`
    }
    case 'type':
      return `${name} must be ${article(String(params.type))}.`
    case 'maxLength':
      return `${name} must be at most ${params.limit} characters.`
    case 'minLength':
      return `${name} must not be empty.`
    case 'enum':
      return `${name} must be one of ${choicesIn(params.allowedValues as string[])}.`
    case 'anyOf':
    case 'const':
      return `${name} is not one of the values allowed.`
    case 'maxProperties':
      return `${name} has more than ${params.limit} entries.`
    default:
      return `${name} is not valid.`
  }
}

function article(type: string): string {
  if (type === 'object' || type === 'integer' || type === 'array') return `an ${type}`
  return type === 'string' ? 'text' : `a ${type}`
}
