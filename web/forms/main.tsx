import '../styles/guest.css'
import { start } from '../parts/start.tsx'
import { FormPage } from './form-page.tsx'

void start(FormPage)
