/** What the printed parts look like: no rules, only names and drawings. */
export const COLOURS = ['green', 'red', 'yellow', 'black'] as const
export type Colour = (typeof COLOURS)[number]

/** The kind of move a colour makes, by the name of its pictogram. */
export const KIND = { green: 'sprint', red: 'attack', yellow: 'recover', black: 'corner' } as const

export const OUTLINE: Record<Colour, string> = {
  green: 'M-14-14.5H9L15.5 0 9 14.5H-14Q-11 0-14-14.5Z',
  red: 'M0-15.5 5-13 12-13.5 12.5-6 15.5 0 12.5 6 12 13.5 5 13 0 15.5-5 13-12 13.5-12.5 6-15.5 0-12.5-6-12-13.5-5-13Z',
  yellow: 'M0-15.2A15.2 15.2 0 1 1 0 15.2 15.2 15.2 0 1 1 0-15.2Z',
  black: 'M-14.5 15V-2A14.5 13 0 0 1 14.5-2V15Z',
}

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
