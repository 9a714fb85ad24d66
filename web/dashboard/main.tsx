import '../styles/dashboard.css'
import { start } from '../parts/start.tsx'
import { ownLanguage } from './core/language.ts'
import { Dashboard } from './dashboard.tsx'

void start(Dashboard, ownLanguage)
