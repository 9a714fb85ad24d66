import { createContext } from 'react'

/** Whether this instance sends text messages. */
export const SendsTexts = createContext(false)
