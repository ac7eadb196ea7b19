/** The six factions of the circus: each has a shape and a mark, so that nobody depends on colour. */
import { art } from './art.ts'

export const FACTIONS = ['russata', 'albata', 'veneta', 'prasina', 'aurata', 'purpurea'] as const
export type Faction = (typeof FACTIONS)[number]

/** Outline of the emblem, in a square from -12 to 12. */
export const SHAPE: Record<Faction, string> = art.shapes
/** The mark inside it: flame, crescent, trident, leaf, sun, crown. */
export const MARK: Record<Faction, string> = art.marks
