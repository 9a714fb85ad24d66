/**
 * The texts of all emails, and of notifications in browsers. Words in braces are placeholders: `event`, `host`, `guest` and `scheduler` are names, `when` is
 * a short date and time. The other languages have the same keys and the same placeholders.
 */
export default {
  guest: {
    confirmed: {
      subject: 'Confirmed: {event} with {host}, {when}',
      heading: 'You’re booked',
      lead: 'Your meeting with {host} is confirmed. The invitation for your calendar is attached.',
    },
    requested: {
      subject: 'Request received: {event} with {host}, {when}',
      heading: 'Request received',
      lead: 'We’re holding this time for you, but it isn’t confirmed yet. We’ll email you as soon as {host} responds.',
    },
    approved: {
      subject: 'Confirmed: {event} with {host}, {when}',
      heading: 'Your request was approved',
      lead: '{host} approved your request. The invitation for your calendar is attached.',
    },
    linkAdded: {
      subject: 'Link to join: {event} with {host}, {when}',
      heading: 'Here is the link to your meeting',
      lead: 'Join your meeting with {host} with the link below. The attached invitation updates your calendar.',
    },
    declined: {
      subject: 'Declined: {event} with {host}, {when}',
      heading: 'Your request was declined',
      lead: 'Unfortunately, {host} isn’t available at this time. You’re welcome to choose another one.',
    },
    expired: {
      subject: 'Not confirmed: {event} with {host}, {when}',
      heading: 'Your request wasn’t answered in time',
      lead: '{host} didn’t respond in time, so this meeting won’t take place. You’re welcome to choose another time.',
    },
    cancelledByGuest: {
      subject: 'Cancelled: {event} with {host}, {when}',
      heading: 'Your meeting is cancelled',
      lead: 'You cancelled your meeting with {host}. We’ve notified them by email.',
    },
    cancelledByHost: {
      subject: 'Cancelled: {event} with {host}, {when}',
      heading: 'Your meeting was cancelled',
      lead: 'Unfortunately, {host} had to cancel this meeting. You’re welcome to choose another time.',
    },
    cancelledByService: {
      subject: 'Cancelled: {event} with {host}, {when}',
      heading: 'Your meeting was cancelled',
      lead: 'Your meeting with {host} won’t take place. You’re welcome to choose another time.',
    },
    movedByGuest: {
      subject: 'New time: {event} with {host}, {when}',
      heading: 'Your meeting has a new time',
      lead: 'You rescheduled your meeting with {host}. The attached invitation updates your calendar.',
    },
    movedByHost: {
      subject: 'New time: {event} with {host}, {when}',
      heading: 'Your meeting has a new time',
      lead: '{host} rescheduled your meeting. The attached invitation updates your calendar. If the new time doesn’t work for you, you can change it.',
    },
    moveRequested: {
      subject: 'New time requested: {event} with {host}, {when}',
      heading: 'New time requested',
      lead: 'We’re holding the new time for you, but {host} still has to approve it. The previous time is no longer valid.',
    },
    reassigned: {
      subject: 'New host: {event} with {host}, {when}',
      heading: 'Your meeting has a new host',
      lead: 'Your meeting is now with {host}, at the same time. The attached invitation updates your calendar.',
    },
    requestReassigned: {
      subject: 'New host: {event} with {host}, {when}',
      heading: 'Your request has a new host',
      lead: 'Your request is now with {host}. We’re still holding this time for you, and we’ll email you as soon as {host} responds.',
    },
    reminder: {
      subject: 'Reminder: {event} with {host}, {when}',
      heading: 'Your meeting is coming up',
      lead: 'This is a reminder of your meeting with {host}.',
    },
  },
  addedGuest: {
    invited: {
      subject: 'Invitation: {event} with {host}, {when}',
      heading: 'You’re invited',
      lead: '{guest} added you to a meeting with {host}. The invitation for your calendar is attached.',
    },
    moved: {
      subject: 'New time: {event} with {host}, {when}',
      heading: 'The meeting has a new time',
      lead: 'The meeting with {host} that {guest} added you to was rescheduled. The attached invitation updates your calendar.',
    },
    reassigned: {
      subject: 'New host: {event} with {host}, {when}',
      heading: 'The meeting has a new host',
      lead: 'The meeting that {guest} added you to is now with {host}, at the same time. The attached invitation updates your calendar.',
    },
    cancelled: {
      subject: 'Cancelled: {event} with {host}, {when}',
      heading: 'The meeting was cancelled',
      lead: 'The meeting with {host} that {guest} added you to won’t take place at this time.',
    },
  },
  host: {
    confirmed: {
      subject: 'New booking: {event} with {guest}, {when}',
      heading: 'New booking',
      lead: '{guest} booked a meeting with you.',
    },
    requested: {
      subject: 'Approval needed: {event} with {guest}, {when}',
      heading: 'New request',
      lead: '{guest} would like to meet with you. Please approve or decline. We’ll hold the time until then.',
    },
    approved: {
      subject: 'Confirmed: {event} with {guest}, {when}',
      heading: 'Request approved',
      lead: 'The request from {guest} was approved. The meeting is confirmed.',
    },
    linkAdded: {
      subject: 'Link to join: {event} with {guest}, {when}',
      heading: 'Here is the link to your meeting',
      lead: 'The link to your meeting with {guest} is ready. We’ve emailed it to them, too.',
    },
    declined: {
      subject: 'Declined: {event} with {guest}, {when}',
      heading: 'Request declined',
      lead: 'The request from {guest} was declined. The time is free again.',
    },
    expired: {
      subject: 'Expired: {event} with {guest}, {when}',
      heading: 'Request expired',
      lead: 'The request from {guest} wasn’t answered in time, so we declined it automatically. We’ve notified the guest by email.',
    },
    cancelledByGuest: {
      subject: 'Cancelled: {event} with {guest}, {when}',
      heading: 'Meeting cancelled',
      lead: '{guest} cancelled this meeting. The time is free again.',
    },
    cancelledByHost: {
      subject: 'Cancelled: {event} with {guest}, {when}',
      heading: 'Meeting cancelled',
      lead: 'The meeting with {guest} was cancelled on your side. We’ve notified the guest by email.',
    },
    cancelledByService: {
      subject: 'Cancelled: {event} with {guest}, {when}',
      heading: 'Meeting cancelled',
      lead: 'The meeting with {guest} won’t take place. We’ve notified the guest by email.',
    },
    movedByGuest: {
      subject: 'New time: {event} with {guest}, {when}',
      heading: 'Meeting rescheduled',
      lead: '{guest} rescheduled this meeting. The attached invitation updates your calendar.',
    },
    movedByHost: {
      subject: 'New time: {event} with {guest}, {when}',
      heading: 'Meeting rescheduled',
      lead: 'The meeting with {guest} was rescheduled on your side. We’ve notified the guest by email.',
    },
    moveRequested: {
      subject: 'Approval needed: new time for {event} with {guest}, {when}',
      heading: 'New time needs your approval',
      lead: 'There is a request to reschedule the meeting with {guest}. Please approve or decline the new time. We’ll hold it until then.',
    },
    reassigned: {
      subject: 'Handed over to you: {event} with {guest}, {when}',
      heading: 'A meeting was handed over to you',
      lead: 'You now host the meeting with {guest}. We’ve notified the guest by email.',
    },
    requestReassigned: {
      subject: 'Approval needed: {event} with {guest}, {when}',
      heading: 'A request was handed over to you',
      lead: '{guest} would like to meet, and this request was handed over to you. Please approve or decline. We’ll hold the time until then.',
    },
    reminder: {
      subject: 'Reminder: {event} with {guest}, {when}',
      heading: 'Your meeting is coming up',
      lead: 'This is a reminder of your meeting with {guest}.',
    },
  },
  formerHost: {
    subject: 'Reassigned: {event} with {guest}, {when}',
    heading: 'Meeting reassigned',
    lead: 'The meeting with {guest} was rescheduled, and {host} will host it. Your time is free again.',
  },
  handedOver: {
    subject: 'Handed over: {event} with {guest}, {when}',
    heading: 'Meeting handed over',
    lead: 'The meeting with {guest} is now with {host}. Your time is free again.',
  },
  coHost: {
    subject: 'New host: {event} with {guest}, {when}',
    heading: 'Hosts changed',
    lead: 'The meeting with {guest} is now hosted by {host}.',
  },
  guestLeft: {
    subject: 'Guest left: {event} with {guest}, {when}',
    heading: 'A guest left',
    lead: '{guest} no longer attends this meeting. The other guests still do.',
  },
  lastGuestLeft: {
    subject: 'No guests left: {event} with {guest}, {when}',
    heading: 'No guests left',
    lead: '{guest} no longer attends this meeting, and nobody else has booked it. The time is free again.',
  },
  label: {
    what: 'Event',
    when: 'When',
    previously: 'Previously',
    where: 'Where',
    host: 'Host',
    guest: 'Guest',
    guests: 'Guests',
    phone: 'Phone',
    notes: 'Notes',
    reason: 'Message',
    dates: 'All dates',
    addToCalendar: 'Add to calendar',
    cancellation: 'Cancellation',
    payment: 'Payment',
  },
  place: {
    InPerson: 'In person',
    Phone: 'Phone call',
    Video: 'Video call',
    Link: 'Online',
  },
  hostCalls: 'Phone call: the host calls you',
  linkFollows: 'Video call: the link follows by email',
  addLink: 'Video call: no link yet. Add it to the booking, and we’ll email it to your guest.',
  linkMissing: {
    subject: 'Add the link: {event} with {guest}, {when}',
    heading: 'Your video call has no link yet',
    lead: 'Your video call with {guest} is coming up, and nobody can join it yet. Add the link to the booking, and we’ll email it to your guest.',
  },
  cancelUntil: 'You can cancel until {time}.',
  money: {
    paid: '{price} paid',
    reserved: '{price} reserved until the request is answered',
    charged: '{price}, charged with this approval',
    refund: '{price} goes back; banks may need a few days',
    kept: 'Nothing is refunded',
    released: 'The card isn’t charged',
  },
  button: {
    unsubscribe: 'Unsubscribe',
    manage: 'Reschedule or cancel',
    join: 'Join',
    answer: 'Review request',
    open: 'Open booking',
    again: 'Choose another time',
  },
  answer: {
    yes: 'Yes',
    no: 'No',
  },
  footer: {
    form: 'You’re receiving this email because your address was given in a form of {scheduler}.',
    guest: 'You’re receiving this email because your address was used to book a meeting with {scheduler}.',
    addedGuest:
      'You’re receiving this email because {guest} gave your address when booking a meeting with {scheduler}.',
    host: 'You’re receiving this email because someone booked this meeting with you.',
  },
  pushTest: {
    heading: 'Notifications are on',
    lead: 'This is how new bookings will show up.',
  },
  connectionLost: {
    subject: 'Reconnect your {provider} account {account}',
    lead: '{provider} no longer gives us access to {account}. Until you reconnect it, we can’t see new events there, add bookings or create meeting links. The busy times we already know still block your availability.',
    button: 'Reconnect',
  },
} as const
