import { icon } from '../../parts/icon.tsx'

export const MenuIcon = icon(<path d="M4 7h16M4 12h16M4 17h16" />)
export const GlobeIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.500" />
    <path d="M3.500 12h17M12 3.500c5 5 5 12 0 17M12 3.500c-5 5-5 12 0 17" />
  </>,
)
export const ListIcon = icon(
  <>
    <rect x="4" y="4.5" width="16" height="6" rx="2" />
    <rect x="4" y="13.5" width="16" height="6" rx="2" />
  </>,
)
export const FormIcon = icon(
  <>
    <circle cx="6" cy="6" r="2.25" />
    <circle cx="18" cy="6" r="2.25" />
    <circle cx="18" cy="18" r="2.25" />
    <path d="M8.250 6h7.500M6 8.250v5.750a4 4 0 0 0 4 4h5.750" />
  </>,
)
export const ChartIcon = icon(<path d="M4 20h16M7 20v-6M12 20V6M17 20V11" />)
export const HookIcon = icon(<path d="M13 3 6 13.500h5L10 21l8-11h-5.500Z" />)
export const BlockIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.500" />
    <path d="m6.200 6.200 11.600 11.600" />
  </>,
)
export const PrivacyIcon = icon(
  <path d="M12 3.500c2.200 1.700 4.600 2.500 7 2.500v5.500c0 4.300-2.800 7.500-7 9-4.200-1.500-7-4.700-7-9V6c2.400 0 4.800-.800 7-2.500Z" />,
)
export const KeyIcon = icon(
  <>
    <circle cx="8" cy="15.500" r="4" />
    <path d="m11 12.500 8.500-8.500M16.500 7l2.500 2.500" />
  </>,
)
export const AuditIcon = icon(
  <>
    <path d="M6 3.500h9l4 4V20.500H6Z" />
    <path d="M9.500 11h6M9.500 15h6" />
  </>,
)
export const ServerIcon = icon(
  <>
    <rect x="4" y="4" width="16" height="7" rx="2" />
    <rect x="4" y="13" width="16" height="7" rx="2" />
    <path d="M8 7.500h.010M8 16.500h.010" />
  </>,
)
export const OutIcon = icon(
  <>
    <path d="M14 4.500H6.500v15H14" />
    <path d="M11 12h9.500m-3.500-3.500 3.500 3.500-3.500 3.500" />
  </>,
)
export const MoveInIcon = icon(
  <>
    <path d="M10 4.500h7.500v15H10" />
    <path d="M3.500 12h9.500m-3.500-3.500 3.500 3.500-3.500 3.500" />
  </>,
)
export const SearchIcon = icon(
  <>
    <circle cx="10.500" cy="10.500" r="6.500" />
    <path d="m15.500 15.500 5 5" />
  </>,
)
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />)
export const CrossIcon = icon(<path d="m6.500 6.500 11 11M17.500 6.500l-11 11" />)
export const UpIcon = icon(<path d="m6 14.500 6-6 6 6" />)
export const DownIcon = icon(<path d="m6 9.500 6 6 6-6" />)
export const ArrowIcon = icon(<path d="M4.500 12h15m-5-5 5 5-5 5" />)
export const DotsIcon = icon(
  <>
    <circle cx="5.500" cy="12" r="1" />
    <circle cx="12" cy="12" r="1" />
    <circle cx="18.500" cy="12" r="1" />
  </>,
)
export const GripIcon = icon(
  <>
    <circle cx="9" cy="6" r="1" />
    <circle cx="15" cy="6" r="1" />
    <circle cx="9" cy="12" r="1" />
    <circle cx="15" cy="12" r="1" />
    <circle cx="9" cy="18" r="1" />
    <circle cx="15" cy="18" r="1" />
  </>,
)
export const TrashIcon = icon(<path d="M5 7h14M10 7V4.500h4V7M7 7l.750 12.500h8.500L17 7" />)
export const LinkedIcon = icon(
  <>
    <path d="M20 11V8a3 3 0 0 0-3-3H7a3 3 0 0 0-3 3v9a3 3 0 0 0 3 3h4M4 10h16M8.5 3v4M15.5 3v4" />
    <path d="M14 17h6.500m-2.500-2.500 2.500 2.500-2.500 2.500" />
  </>,
)
export const CopyIcon = icon(
  <>
    <rect x="8.500" y="8.500" width="11.500" height="11.500" rx="2" />
    <path d="M15.500 8.500V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7.500a2 2 0 0 0 2 2h2.500" />
  </>,
)
