import '../styles/guest.css'
import { start } from '../parts/start.tsx'
import { ManagePage } from './manage-page.tsx'

void start(ManagePage)
