import type { Here, PlanLine, PlannedEventType, PlannedMeeting, SettingsPlan } from './plan.ts'
import type { SourceBooking, SourceSettings } from './source.ts'

export class MeetingPlanner {
  constructor(_source: SourceSettings, _plan: SettingsPlan, _here: Here) {}
  note(_booking: SourceBooking): void {}
  extras(): readonly PlannedEventType[] {
    return []
  }
  plan(_booking: SourceBooking): {
    readonly lines: readonly PlanLine[]
    readonly meeting: PlannedMeeting | null
  } {
    return { lines: [], meeting: null }
  }
}
