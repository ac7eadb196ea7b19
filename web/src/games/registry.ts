/** What each game brings for the page, found by its folder; a game without drawings gets the generic table. */
import type { Checker } from './draws.ts'
import type { GameModule } from './module.ts'

const MODULES = import.meta.glob<{ default: GameModule }>('./*/index.ts')
const CHECKERS = import.meta.glob<{ check: Checker }>('./*/draws.ts')

export async function loadModule(game: string): Promise<GameModule> {
  const load = MODULES[`./${game}/index.ts`] ?? MODULES['./generic/index.ts']!
  return (await load()).default
}

/** How a game's draws are checked; null for a game of which the page does not know the order of its draws. */
export async function loadChecker(game: string): Promise<Checker | null> {
  const load = CHECKERS[`./${game}/draws.ts`]
  return load ? (await load()).check : null
}
