/** Emails with a code for a guest. */
export default {
  emailCode: {
    subject: '{code} is your confirmation code',
    heading: 'Confirm your email address',
    label: 'Code',
    lead: 'Enter this code on the booking page to book {eventType} with {host}. It works once, for 10 minutes.',
    footer: 'If you didn’t ask for this, ignore this email. Nothing was booked.',
  },
  erasureCode: {
    subject: '{code} is your code to erase your data',
    heading: 'Erase your data',
    label: 'Code',
    lead: 'With this code, everything stored here about your email address is erased, and your upcoming bookings are cancelled. This cannot be undone. The code works once, for 10 minutes.',
    footer: 'If you didn’t ask for this, ignore this email. Nothing was erased.',
  },
} as const
