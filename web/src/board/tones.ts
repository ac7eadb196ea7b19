/** Tones of the mosaics, by name of the colour in the style sheet. */
export const SAND = [
  'var(--sand-1)',
  'var(--sand-2)',
  'var(--sand-3)',
  'var(--sand-4)',
  'var(--sand-1)',
] as const
export const CROWD = [
  'var(--wall)',
  'var(--marble)',
  'var(--terracotta-2)',
  'var(--wall-2)',
  'var(--gold-2)',
  'var(--wall)',
  'var(--porphyry-2)',
  'var(--water)',
  'var(--wall-2)',
  'var(--marble-2)',
] as const
export const GRASS = ['var(--infield)', 'var(--infield-2)', 'var(--infield)'] as const
