/**
 * What mails say. Words in braces are filled in: `event`, `host`, `guest` and `scheduler` are names, `when` a short
 * date and time. The other languages have the same keys and the same gaps.
 */
export const en = {
  guest: {
    confirmed: {
      subject: 'Confirmed: {event} with {host}, {when}',
      heading: 'You’re booked',
      lead: 'Your meeting with {host} is confirmed. The invitation for your calendar is attached.',
    },
    requested: {
      subject: 'Request received: {event} with {host}, {when}',
      heading: 'Your request has been received',
      lead: 'This time is held for you, but not confirmed yet. You will hear from us as soon as {host} has answered.',
    },
    approved: {
      subject: 'Confirmed: {event} with {host}, {when}',
      heading: 'Your request was accepted',
      lead: '{host} has accepted your request. The invitation for your calendar is attached.',
    },
    declined: {
      subject: 'Declined: {event} with {host}, {when}',
      heading: 'Your request was declined',
      lead: 'Unfortunately, {host} cannot make this time. You are welcome to choose another one.',
    },
    expired: {
      subject: 'Not confirmed: {event} with {host}, {when}',
      heading: 'Your request was not answered in time',
      lead: '{host} could not answer in time, so this meeting will not take place. You are welcome to choose another time.',
    },
    cancelledByGuest: {
      subject: 'Cancelled: {event} with {host}, {when}',
      heading: 'Your meeting is cancelled',
      lead: 'You have cancelled your meeting with {host}, who has been told.',
    },
    cancelledByHost: {
      subject: 'Cancelled: {event} with {host}, {when}',
      heading: 'Your meeting was cancelled',
      lead: 'Unfortunately, {host} had to cancel this meeting. You are welcome to choose another time.',
    },
    cancelledByService: {
      subject: 'Cancelled: {event} with {host}, {when}',
      heading: 'Your meeting was cancelled',
      lead: 'Your meeting with {host} will not take place. You are welcome to choose another time.',
    },
    movedByGuest: {
      subject: 'New time: {event} with {host}, {when}',
      heading: 'Your meeting has a new time',
      lead: 'You have moved your meeting with {host}. The attached invitation updates your calendar.',
    },
    movedByHost: {
      subject: 'New time: {event} with {host}, {when}',
      heading: 'Your meeting has a new time',
      lead: '{host} has moved your meeting. The attached invitation updates your calendar. If the new time does not suit you, you can change it.',
    },
    moveRequested: {
      subject: 'New time requested: {event} with {host}, {when}',
      heading: 'The new time has been requested',
      lead: 'The new time is held for you, but {host} still has to confirm it. The previous time is no longer valid.',
    },
    reminder: {
      subject: 'Reminder: {event} with {host}, {when}',
      heading: 'Your meeting is coming up',
      lead: 'A short reminder of your meeting with {host}.',
    },
  },
  host: {
    confirmed: {
      subject: 'New booking: {event} with {guest}, {when}',
      heading: 'New booking',
      lead: '{guest} has booked a meeting with you.',
    },
    requested: {
      subject: 'Please answer: {event} with {guest}, {when}',
      heading: 'New request',
      lead: '{guest} would like to meet you. Please accept or decline; the time is held until then.',
    },
    approved: {
      subject: 'Confirmed: {event} with {guest}, {when}',
      heading: 'Request accepted',
      lead: 'The request from {guest} was accepted. The meeting is confirmed.',
    },
    declined: {
      subject: 'Declined: {event} with {guest}, {when}',
      heading: 'Request declined',
      lead: 'The request from {guest} was declined. The time is free again.',
    },
    expired: {
      subject: 'Expired: {event} with {guest}, {when}',
      heading: 'Request expired',
      lead: 'Nobody answered the request from {guest} in time, so it was declined automatically. The guest has been told.',
    },
    cancelledByGuest: {
      subject: 'Cancelled: {event} with {guest}, {when}',
      heading: 'A meeting was cancelled',
      lead: '{guest} has cancelled this meeting. The time is free again.',
    },
    cancelledByHost: {
      subject: 'Cancelled: {event} with {guest}, {when}',
      heading: 'The meeting is cancelled',
      lead: 'The meeting with {guest} was cancelled on your side. The guest has been told.',
    },
    cancelledByService: {
      subject: 'Cancelled: {event} with {guest}, {when}',
      heading: 'A meeting was cancelled',
      lead: 'The meeting with {guest} will not take place. The guest has been told.',
    },
    movedByGuest: {
      subject: 'New time: {event} with {guest}, {when}',
      heading: 'A meeting has a new time',
      lead: '{guest} has moved this meeting. The attached invitation updates your calendar.',
    },
    movedByHost: {
      subject: 'New time: {event} with {guest}, {when}',
      heading: 'The meeting has a new time',
      lead: 'The meeting with {guest} was moved on your side. The guest has been told.',
    },
    moveRequested: {
      subject: 'Please answer: new time for {event} with {guest}, {when}',
      heading: 'A new time needs your answer',
      lead: 'The meeting with {guest} is to be moved. Please accept or decline the new time; it is held until then.',
    },
    reminder: {
      subject: 'Reminder: {event} with {guest}, {when}',
      heading: 'Your meeting is coming up',
      lead: 'A short reminder of your meeting with {guest}.',
    },
  },
  formerHost: {
    subject: 'Reassigned: {event} with {guest}, {when}',
    heading: 'A meeting is no longer yours',
    lead: 'The meeting with {guest} was moved, and {host} will host it. Your time is free again.',
  },
  label: {
    what: 'What',
    when: 'When',
    previously: 'Previously',
    where: 'Where',
    host: 'With',
    guest: 'Guest',
    phone: 'Phone',
    notes: 'Notes',
    reason: 'Message',
    addToCalendar: 'Add to calendar',
  },
  place: {
    InPerson: 'In person',
    Phone: 'By phone',
    Video: 'Video call',
    Link: 'Online',
  },
  button: {
    manage: 'Reschedule or cancel',
    answer: 'Answer the request',
    open: 'Open the booking',
    again: 'Choose another time',
  },
  answer: {
    yes: 'Yes',
    no: 'No',
  },
  footer: {
    guest: 'You receive this mail because a meeting with {scheduler} was booked with your address.',
    host: 'You receive this mail because this meeting was booked with you.',
  },
} as const
