import type { OidcSettings } from '../outside/sign-on/oidc.ts'
import type { Db } from '../store/engine/database.ts'
import type { DatabaseOptions } from '../store/engine/open-database.ts'

/**
 * What the operator has set up around the service: what checks look at, and what admins are told.
 *
 * It contains secrets, so views pick what they show.
 */
export interface Surroundings {
  readonly version: string
  /** Empty where nothing tells it. */
  readonly commit: string
  readonly production: boolean
  readonly publicUrl: string
  readonly dataDir: string
  readonly smtpUrl: string
  readonly mailFrom: string
  /** Where emails are written if there is no mail server. */
  readonly mailFolder: string
  /** Empty: the embedded database. */
  readonly databaseUrl: string
  readonly databaseReadUrl: string
  readonly databasePooler: 'off' | 'transaction'
  readonly databasePoolSize: number
  /** The file of the embedded database, if it is used. */
  readonly sqliteFile: string
  /** Opens the database, or the one at `url`, on connections of its own. */
  readonly openStore: (options: DatabaseOptions, url?: string) => Db
  /** Milliseconds; 0: no scheduled backups. */
  readonly backupEvery: number
  readonly backupKeep: number
  readonly backupDir: string
  readonly oidc: OidcSettings
  readonly requirePasskey: boolean
}
