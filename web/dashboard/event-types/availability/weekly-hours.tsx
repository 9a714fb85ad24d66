import { Menu, Button as MenuButton, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { IconButton } from '../../core/buttons.tsx'
import type { ScheduleView } from '../../core/data/views.ts'
import { Switch } from '../../core/fields/fields.tsx'
import { FieldError } from '../../core/fields/form-errors.tsx'
import { ZoneField } from '../../core/fields/zone-field.tsx'
import { CopyIcon, PlusIcon } from '../../core/icons.tsx'
import { Section } from '../../core/page.tsx'
import { useWeekdays } from '../../core/time/times.ts'
import { tell, words } from '../../words.ts'
import { Ranges, withMoreHours } from './ranges.tsx'
import { NINE_TO_FIVE, WEEK, WORKDAYS } from './week.ts'

type Hours = ScheduleView['weekly'][string]

interface Props {
  readonly schedule: ScheduleView
  readonly set: (part: Partial<ScheduleView>) => void
}

/** The time zone, and the hours of each weekday in it. */
export function WeeklyHours({ schedule: { weekly, timezone }, set }: Props) {
  const a = words.availability
  const weekdays = useWeekdays()
  const setDays = (days: readonly number[], hours: Hours) =>
    set({ weekly: { ...weekly, ...Object.fromEntries(days.map((day) => [day, hours])) } })
  return (
    <Section title={a.weekly} hint={a.weeklyHint}>
      <ZoneField zone={timezone} hint={a.zoneHint} onChange={(zone) => set({ timezone: zone })} />
      <div>
        {weekdays.map((day) => (
          <Day
            key={day}
            day={day}
            ranges={weekly[day] ?? []}
            onChange={(hours) => setDays([day], hours)}
            onCopy={(days) => setDays(days, weekly[day] ?? [])}
          />
        ))}
      </div>
      <FieldError field="weekly" />
    </Section>
  )
}

interface DayProps {
  readonly day: number
  readonly ranges: Hours
  readonly onChange: (ranges: Hours) => void
  readonly onCopy: (days: readonly number[]) => void
}

const nameOf = (day: number) => words.weekdays[day - 1] ?? ''

function Day({ day, ranges, onChange, onCopy }: DayProps) {
  const a = words.availability
  const name = nameOf(day)
  const more = withMoreHours(ranges)
  const isOpen = ranges.length > 0
  return (
    <div className="week-day" data-closed={!isOpen || undefined}>
      <Switch label={name} on={isOpen} onChange={(on) => onChange(on ? NINE_TO_FIVE : [])} />
      <div className="open-hours">
        {isOpen ? (
          <Ranges name={name} ranges={ranges} onChange={onChange} />
        ) : (
          <p className="muted small">{a.unavailable}</p>
        )}
        <FieldError field={`weekly.${day}`} />
      </div>
      <div className="week-tools">
        {isOpen && more && (
          <IconButton label={`${a.addHours} (${name})`} onPress={() => onChange(more)}>
            <PlusIcon size={18} />
          </IconButton>
        )}
        <CopyTo day={day} onCopy={onCopy} />
      </div>
    </div>
  )
}

/** Gives other days the hours of this one. */
function CopyTo({ day, onCopy }: Pick<DayProps, 'day' | 'onCopy'>) {
  const a = words.availability
  const weekdays = useWeekdays()
  const targets: Readonly<Record<string, readonly number[]>> = { workdays: WORKDAYS, week: WEEK }
  return (
    <MenuTrigger>
      <MenuButton className="round" aria-label={tell(a.copyTo, { day: nameOf(day) })}>
        <CopyIcon size={18} />
      </MenuButton>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" onAction={(key) => onCopy(targets[String(key)] ?? [Number(key)])}>
          <MenuItem id="workdays">{a.allWeekdays}</MenuItem>
          <MenuItem id="week">{a.everyDay}</MenuItem>
          {weekdays
            .filter((one) => one !== day)
            .map((one) => (
              <MenuItem key={one} id={String(one)}>
                {nameOf(one)}
              </MenuItem>
            ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
