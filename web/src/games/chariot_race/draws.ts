/** What a step of Chariot Race draws: places on the grid, and dice. */
import type { GameEvent } from '../../app/protocol.ts'
import type { Checker } from '../draws.ts'

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']

export const check: Checker = (game, seats) => (step, draw, compare) => {
  const sides = game.components['faces'] as string[]
  const roll = (event: GameEvent, die: number) => compare(sides[draw(sides.length)], event[ORDINALS[die]!])
  const gridded = step.seq === 0 ? step.events.filter((event) => event.kind === 'gridded') : []
  const left = game.names['chariot']!.filter((chariot) =>
    gridded.some((event) => event['chariot'] === chariot),
  )
  for (const event of step.events) {
    if (event.kind === 'opened') compare(draw(seats), event['seat'])
    if (event.kind === 'gridded' && step.seq === 0)
      compare(left.splice(draw(left.length), 1)[0], event['chariot'])
    if (event.kind === 'rolled') for (let die = 0; die < event['count']; die++) roll(event, die)
    if (event.kind === 'rerolled')
      for (const die of String(event['dice']).match(/\d/g) ?? []) roll(event, Number(die) - 1)
  }
}
