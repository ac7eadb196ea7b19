/** The colours in which a table's chariots are drawn: those that the players chose. */
import { getContext, setContext } from 'svelte'
import { FACTIONS, type Faction } from './factions.ts'

/** For each faction that a game draws, the one whose colours and emblem it wears. */
export type Livery = Partial<Record<Faction, Faction>>

const KEY = Symbol('livery')

/** Let everything below this component be drawn in a livery. */
export const setLivery = (livery: () => Livery) => setContext(KEY, livery)

/** What a faction wears here; itself where nobody chose. */
export function findLivery(): (faction: Faction) => Faction {
  const livery = getContext<(() => Livery) | undefined>(KEY)
  return (faction) => livery?.()[faction] ?? faction
}

/** Dress the first chariot of each seat in its colour, and the others in what is left. */
export function dress(seats: readonly { own: Faction[]; colour: string }[]): Livery {
  const livery: Livery = {}
  for (const { own, colour } of seats) if (own[0] && colour) livery[own[0]] = colour as Faction
  const isFree = (faction: Faction) => !Object.values(livery).includes(faction)
  for (const faction of FACTIONS) if (!livery[faction] && isFree(faction)) livery[faction] = faction
  for (const faction of FACTIONS) livery[faction] ??= FACTIONS.find(isFree)!
  return livery
}
