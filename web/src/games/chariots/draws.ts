/** What a step of Chariots draws: a die for each roll its events tell. */
import type { Checker } from '../draws.ts'

export const check: Checker = (game) => (step, draw, compare) => {
  const faces = game.names['face']!
  for (const event of step.events)
    if (event.kind === 'grid_rolled' || event.kind === 'control_rolled')
      compare(faces[draw(faces.length)], event['face'])
}
