/** Refusals of a code that proves an address. The booking page says the same in the guest's language. */
export const CODE_REFUSALS = {
  missing: 'Please confirm your email address: request a code, and send it along (emailCode).',
  wrong: 'This code is wrong or has expired. Please request a new one.',
} as const
