const notYou =
  'If it wasn’t you, sign out everywhere on your profile, and remove passkeys that you don’t know.'

/** Mails from the service itself. */
export default {
  signIn: {
    subject: 'Your sign-in link',
    heading: 'Sign in to Punctual',
    lead: 'This link works once, for 15 minutes.',
    button: 'Open the sign-in page',
    footer: 'If you didn’t ask to sign in, you can ignore this email.',
  },
  invited: {
    subject: 'You are invited to Punctual',
    heading: 'You’re invited',
    lead: '{inviter} invites you to Punctual. The button creates your account. It works once, for 14 days.',
    button: 'Accept the invitation',
    footer: 'If you don’t want to join, ignore this email.',
  },
  invitedToTeam: {
    subject: 'You are invited to {team}',
    heading: 'You’re invited',
    lead: '{inviter} invites you to the team {team} on Punctual. The button creates your account. It works once, for 14 days.',
    button: 'Accept the invitation',
    footer: 'If you don’t want to join, ignore this email.',
  },
  /** For someone who signs in themselves. */
  invitedToSignIn: {
    subject: 'You are invited to Punctual',
    heading: 'You’re invited',
    lead: '{inviter} invites you to Punctual. Sign in with this email address, {email}, within 14 days.',
    button: 'Open the sign-in page',
    footer: 'If you don’t want to join, ignore this email.',
  },
  invitedToTeamToSignIn: {
    subject: 'You are invited to {team}',
    heading: 'You’re invited',
    lead: '{inviter} invites you to the team {team} on Punctual. Sign in with this email address, {email}, within 14 days.',
    button: 'Open the sign-in page',
    footer: 'If you don’t want to join, ignore this email.',
  },
  proveEmail: {
    subject: 'Confirm your new email address',
    heading: 'Confirm your new email address',
    lead: 'Open this link where you are signed in. It works once, for an hour.',
    button: 'Confirm this address',
    footer: 'If you didn’t ask for this, you can ignore this email.',
  },
  emailChangeAsked: {
    subject: 'Your email address is about to change',
    heading: 'Your email address is about to change',
    lead: 'You asked to sign in with {email} from now on. Nothing changes until that address is confirmed.',
    button: 'Open your profile',
    footer: 'If it wasn’t you, sign out everywhere on your profile.',
  },
  emailChanged: {
    subject: 'Your email address has changed',
    heading: 'Your email address has changed',
    lead: 'You now sign in with {email}. This address no longer works for that.',
    button: 'Open your profile',
    footer: 'If it wasn’t you, ask the operator of this service for help.',
  },
  recoveryCodeUsed: {
    subject: 'You signed in with a recovery code',
    heading: 'You signed in with a recovery code',
    lead: 'The code can’t be used again. You have {left} codes left. If you have lost a passkey, remove it and add another.',
    button: 'Open your profile',
    footer: notYou,
  },
  oneRecoveryCodeLeft: {
    subject: 'You signed in with a recovery code',
    heading: 'You signed in with a recovery code',
    lead: 'The code can’t be used again. You have 1 code left. If you have lost a passkey, remove it and add another.',
    button: 'Open your profile',
    footer: notYou,
  },
  passkeyAdded: {
    subject: 'A passkey was added to your account',
    heading: 'A passkey was added to your account',
    lead: 'You can now sign in with “{name}” after opening an emailed link.',
    button: 'Open your profile',
    footer: notYou,
  },
  passkeysRemoved: {
    subject: 'Your account has no passkey now',
    heading: 'Your account has no passkey now',
    lead: 'All your passkeys and recovery codes were removed. The emailed link alone signs you in, until you add a passkey.',
    button: 'Open your profile',
    footer: 'If you didn’t expect this, ask the operator of this service.',
  },
  calendarFailed: {
    subject: 'We can’t read your calendar “{name}”',
    heading: 'We can’t read your calendar',
    lead: 'We haven’t been able to read your calendar “{name}” for a day. {reason} New events in it don’t block your availability until it works again, so guests may book those times.',
    button: 'Open calendars',
    footer: 'You’re receiving this email because you connected this calendar.',
  },
  calendarDeleted: {
    subject: 'We can’t find your calendar “{name}”',
    heading: 'We can’t find your calendar',
    lead: 'Your calendar “{name}” doesn’t work any more. {reason} Choose another calendar for your bookings: until then, emails about them come with an invitation for your calendar. The busy times we already know still block your availability.',
    button: 'Open calendars',
    footer: 'You’re receiving this email because you connected this calendar.',
  },
  webhookDisabled: {
    subject: 'The webhook to {origin} has been turned off',
    heading: 'A webhook was turned off',
    lead: 'The webhook to {origin} has been turned off. {reason} Nothing is sent to it until you turn it on again. You can then resend what failed in the last 30 days.',
    button: 'Open webhooks',
    footer: 'You’re receiving this email because you own this webhook.',
  },
  paymentAccountLost: {
    subject: 'The payment account {account} must be connected again',
    heading: 'Connect your payment account again',
    lead: 'Stripe no longer accepts our key for {account}. Until you connect the account again, guests can’t pay for your meetings, and refunds wait.',
    button: 'Open connected accounts',
    footer: 'You’re receiving this email because you own this account.',
  },
} as const
