export type * from './api.ts'
export type * from './calls.ts'
export {
  type ClientOptions,
  createClient,
  type FailureKind,
  PunctualError,
  readOwnLink,
} from './client.ts'
