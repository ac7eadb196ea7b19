/** Drawings that the page shares with the pictures of Python: data, loaded before anything is shown. */
import address from 'virtual:art'
import type paths from '../../../src/quadriga/pictures/art/paths.json'

type Paths = typeof paths

/** The SVG files beside the paths. */
export type DrawingName =
  | 'brand'
  | 'card_back'
  | 'chariot'
  | 'coin'
  | 'dolphin'
  | 'heap'
  | 'hidden_coin'
  | 'null_coin'
  | 'obelisk'
  | 'quadriga'
  | 'turning_post'

export interface Art extends Paths {
  /** Whole drawings as SVG, in colours of the style sheet. */
  drawings: Record<DrawingName, string>
}

/** Paths by kind and name, and whole drawings; empty until `loadArt` has ended. */
export const art = { icons: {}, shapes: {}, marks: {}, signs: {}, parts: {}, drawings: {} } as Art

export async function loadArt(): Promise<void> {
  const found = (await (await fetch(address)).json()) as Art
  for (const kind of Object.keys(art) as (keyof Art)[]) Object.assign(art[kind], found[kind])
}
