import { icon } from './icon.tsx'

export const ClockIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7v5l3 2" />
  </>,
)
export const CameraIcon = icon(
  <>
    <rect x="3" y="6.5" width="12.5" height="11" rx="2.5" />
    <path d="m15.5 11 5.5-3v8l-5.5-3" />
  </>,
)
export const PhoneIcon = icon(
  <path d="M5 4h4l1.5 4.5L8 10.5a12 12 0 0 0 5.500 5.500l2-2.500L20 15v4a1.500 1.500 0 0 1-1.700 1.500C10.500 19.800 4.200 13.500 3.500 5.700A1.500 1.500 0 0 1 5 4Z" />,
)
export const PinIcon = icon(
  <>
    <path d="M12 21s-6.500-5.700-6.500-11a6.500 6.500 0 0 1 13 0c0 5.300-6.500 11-6.500 11Z" />
    <circle cx="12" cy="10" r="2.250" />
  </>,
)
export const LinkIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M3 12h18M12 3c2.500 2.500 3.700 5.500 3.700 9s-1.200 6.500-3.700 9c-2.500-2.500-3.700-5.500-3.700-9S9.500 5.500 12 3Z" />
  </>,
)
export const ShieldIcon = icon(
  <>
    <path d="M12 3 5 6v5c0 4.700 2.900 8 7 10 4.100-2 7-5.300 7-10V6Z" />
    <path d="m9 12 2.200 2.200L15.500 10" />
  </>,
)
export const SeatsIcon = icon(
  <>
    <circle cx="9" cy="8.500" r="3.250" />
    <path d="M3 19c.500-3.300 2.800-5 6-5s5.500 1.700 6 5M15.500 5.700a3.250 3.250 0 0 1 0 5.600M17.500 14.500c2 .600 3.200 2.100 3.500 4.500" />
  </>,
)
export const CalendarIcon = icon(
  <>
    <rect x="4" y="5" width="16" height="15" rx="3" />
    <path d="M4 10h16M8.500 3v4M15.500 3v4" />
  </>,
)
export const PersonIcon = icon(
  <>
    <circle cx="12" cy="8" r="3.750" />
    <path d="M4.500 20c.700-4 3.500-6 7.500-6s6.800 2 7.500 6" />
  </>,
)
export const PriceIcon = icon(
  <>
    <rect x="3" y="6" width="18" height="12.500" rx="2.500" />
    <path d="M3 10.500h18M7 15h3" />
  </>,
)
export const NoteIcon = icon(<path d="M5 7h14M5 12h14M5 17h8" />)
export const CrossIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="m9 9 6 6M15 9l-6 6" />
  </>,
)
export const CheckIcon = icon(<path d="m5 12.500 4.500 4.500L19 7.500" />)
export const BackIcon = icon(<path d="m14.500 6-6 6 6 6" />)
export const NextIcon = icon(<path d="m9.500 6 6 6-6 6" />)
export const WarningIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7.500v5.500M12 16.250v.050" />
  </>,
)
