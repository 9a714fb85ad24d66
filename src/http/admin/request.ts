import { Type } from '../../format/type.ts'

export const IdPath = Type.Object({ id: Type.String() })

/** The fields of `body` that a client may set; everything else is ignored. */
export function pick<T extends object>(body: T, allowed: { readonly properties: object }): T {
  return Object.fromEntries(
    Object.keys(allowed.properties)
      .filter((key) => Object.hasOwn(body, key))
      .map((key) => [key, body[key as keyof T]]),
  ) as T
}
