/**
 * All that a process of a test gets of this one's environment.
 *
 * The rest may hold settings of somebody's real service. `LD_LIBRARY_PATH` may be what Node.js itself needs to start.
 */
export const BARE_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'LD_LIBRARY_PATH'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
