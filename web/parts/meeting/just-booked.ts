const CARRIED = 'punctual:just-booked'

/** Tells the next page of this tab that this booking was just made. */
export function carryJustBooked(id: string): void {
  try {
    sessionStorage.setItem(CARRIED, id)
  } catch {
    // The page shows the booking without saying so.
  }
}

/** Whether the guest has just made this booking: the confirmation had this address, or led here. */
export function wasJustBooked(id: string): boolean {
  try {
    if (sessionStorage.getItem(CARRIED) === id) history.replaceState({ ...history.state, step: 'booked' }, '')
    sessionStorage.removeItem(CARRIED)
  } catch {
    // Storage may be forbidden.
  }
  return history.state?.step === 'booked'
}
