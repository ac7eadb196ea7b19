/** Pictograms in a 24 by 24 square, filled with the current colour. */
import { art } from './art.ts'

export const ICONS = art.icons
export type IconName = keyof typeof ICONS
