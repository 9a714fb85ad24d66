export { type Html, html } from '../domain/html.ts'
