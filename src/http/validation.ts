import type { FastifySchemaValidationError } from 'fastify'
import { Problem } from '../domain/problem.ts'

/** Turns what the schema found into a sentence about the field, in the request's own words. */
export function describeInvalid(errors: FastifySchemaValidationError[], where: string): Problem {
  const [first] = errors
  if (first === undefined) return new Problem('invalid', 'The request is not valid.')
  return new Problem('invalid', describe(first, where), { field: fieldOf(first) })
}

/** The path of the field that the schema refuses, with dots; undefined for the request as a whole. */
function fieldOf({ instancePath, keyword, params }: FastifySchemaValidationError): string | undefined {
  const keys = instancePath.split('/').slice(1)
  if (keyword === 'required') keys.push(String(params.missingProperty))
  const path = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
  return path === '' ? undefined : path
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
      return `${name} must be one of ${(params.allowedValues as string[]).filter((value) => value !== '').join(', ')}.`
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
