/** What the printed parts look like: no rules, only names and drawings. */
import { art } from '../../board/art.ts'

export const COLOURS = ['green', 'red', 'yellow', 'black'] as const
export type Colour = (typeof COLOURS)[number]

/** The kind of move a colour makes, by the name of its pictogram. */
export const KIND = { green: 'sprint', red: 'attack', yellow: 'recover', black: 'corner' } as const

/** The outline of a symbol, around 0,0. */
export const OUTLINE: Record<Colour, string> = art.signs

const LETTER: Record<string, Colour> = { G: 'green', R: 'red', Y: 'yellow', B: 'black' }

export interface Sign {
  colour: Colour
  number: number
}
export interface Face {
  signs: Sign[]
  icons: ('shield' | 'recovery' | 'whip' | 'learning')[]
}

/** What is printed on a card, read from its name: `R3R3G2`, `R3R3-shield`, `whip`. */
export function face(card: string): Face {
  const signs = [...card.matchAll(/([GRYB])(\d+)/g)].map(([, letter, number]) => ({
    colour: LETTER[letter!]!,
    number: Number(number),
  }))
  const icons = [...card.matchAll(/shield|recovery|whip|learning/g)].map(
    ([icon]) => icon as Face['icons'][number],
  )
  return { signs, icons }
}

/** The symbols that cards show, by their names; a whip shows none. */
export const symbolsOf = (cards: readonly string[]): string[] =>
  cards.flatMap((card) => face(card).signs).map(({ colour, number }) => `${colour}-${number}`)

export const sign = (symbol: string): Sign => {
  const [colour, number] = symbol.split('-')
  return { colour: colour as Colour, number: Number(number) }
}
