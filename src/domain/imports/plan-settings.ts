import type { Choices, Here, SettingsPlan } from './plan.ts'
import type { SourceSettings } from './source.ts'

export function planSettings(_source: SourceSettings, _here: Here, _choices: Choices): SettingsPlan {
  return { lines: [], choices: [], settings: [], oldLinks: [] }
}
