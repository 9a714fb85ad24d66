import '../styles/guest.css'
import { start } from '../parts/start.tsx'
import { BookingPage } from './booking-page.tsx'

void start(BookingPage)
