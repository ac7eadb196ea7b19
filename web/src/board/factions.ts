/** The six factions of the circus: each has a shape and a mark, so that nobody depends on colour. */
export const FACTIONS = ['russata', 'albata', 'veneta', 'prasina', 'aurata', 'purpurea'] as const
export type Faction = (typeof FACTIONS)[number]

/** Outline of the emblem, in a square from -12 to 12. */
export const SHAPE: Record<Faction, string> = {
  russata: 'M0-10.6A10.6 10.6 0 1 1 0 10.6 10.6 10.6 0 1 1 0-10.6Z',
  albata: 'M-9.2-7.6Q-9.2-9.2-7.6-9.2H7.6Q9.2-9.2 9.2-7.6V7.6Q9.2 9.2 7.6 9.2H-7.6Q-9.2 9.2-9.2 7.6Z',
  veneta: 'M-6.2-10.2H6.2L11.6 0 6.2 10.2H-6.2L-11.6 0Z',
  prasina: 'M-9.6-9.8Q0-7.4 9.6-9.8V0Q9.4 7.4 0 11.6-9.4 7.4-9.6 0Z',
  aurata:
    'M0-11.8 3.2-7.8 8.3-8.3 7.8-3.2 11.8 0 7.8 3.2 8.3 8.3 3.2 7.8 0 11.8-3.2 7.8-8.3 8.3-7.8 ' +
    '3.2-11.8 0-7.8-3.2-8.3-8.3-3.2-7.8Z',
  purpurea: 'M0-11.8 10.6 0 0 11.8-10.6 0Z',
}

/** The mark inside it: flame, crescent, trident, leaf, sun, crown. */
export const MARK: Record<Faction, string> = {
  russata:
    'M.6-7.2C1.4-3.8 5.6-2.2 5.4 2.2 5.2 5.2 2.8 7 0 7-2.9 7-5.2 5-5.2 2 ' +
    '-5.2-.2-4-1.6-3.2-3-2.9-1.6-2.2-1-1.4-.8-2-3.2-1.2-5.6.6-7.2ZM.2 1.2' +
    'C-1.2 2.4-1.8 3.2-1.6 4.2-1.4 5.2-.6 5.6.2 5.6 1.2 5.6 2 4.9 2 3.8 2 2.7.8 2.2.2 1.2Z',
  albata: 'M2.6-6.4A6.6 6.6 0 1 0 6.2 3.4 5.4 5.4 0 0 1 2.6-6.4Z',
  veneta: 'M-1-2.4V-7L0-8.4 1-7V-2.4H3.4V-5.4L4.3-7 5.2-5.4V-.6H1V7.6H-1V-.6H-5.2V-5.4L-4.3-7-3.4-5.4V-2.4Z',
  prasina:
    'M4.8-6.4C5.6-.2 4 4.6-1.4 5.2L-3 7.6-4.4 6.7-3 4.3C-6.4-.2-3.6-5.6 4.8-6.4ZM2.6-4' +
    'C-.4-2-1.8.4-2.4 3.2-.4.8 1.4-1.6 2.6-4Z',
  aurata: 'M0-4.4A4.4 4.4 0 1 1 0 4.4 4.4 4.4 0 1 1 0-4.4Z',
  purpurea: 'M-5.2 3.6-6-2.6-2.8-.4 0-5 2.8-.4 6-2.6 5.2 3.6Z',
}
