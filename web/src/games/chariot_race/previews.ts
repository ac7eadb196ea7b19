/** What the server says the listed choices would bring. */
import type { Action } from '../../app/protocol.ts'
import type { Turn } from '../../app/turn.svelte.ts'

/** One way to drive. */
export interface Way {
  /** The spaces of the way, the starting space first. */
  path: string[]
  /** Where the chariot then stands; null if it is wrecked. */
  stands: string | null
  damage: number
  /** Points left after the damage. */
  left: number
  wrecked: boolean
  rams: string[]
  caltrops: number
  /** Damage by corners. */
  corners: number
  steers: number
}
/** A space where a drive can end, with the ways there, the best first. */
export interface Drive {
  end: string
  ways: Way[]
}
export interface Pace {
  plus: number
  speed: number
  /** How much faster than now; less than 0 if slower. */
  change: number
  damage: number
  wrecked: boolean
}
export interface Speeds {
  low: number
  high: number
}

export const drivesOf = (turn: Turn | null): Drive[] => turn?.preview?.['drives'] ?? []
export const paceOf = (turn: Turn, plus: number): Pace | undefined =>
  (turn.preview?.['paces'] as Pace[] | undefined)?.find((pace) => pace.plus === plus)
export const speedsOf = (turn: Turn): Speeds | null => turn.preview?.['speeds'] ?? null

/** The drive picked in a half-made choice, if it is still there. */
export interface Picked {
  drive: Drive
  number: number
  way: Way
}

export function pickedOf(turn: Turn | null): Picked | null {
  const kept = turn?.draft['drive'] as { end: string; way: number } | undefined
  const drive = drivesOf(turn).find((one) => one.end === kept?.end)
  if (!kept || !drive) return null
  const number = drive.ways[kept.way] ? kept.way : 0
  return { drive, number, way: drive.ways[number]! }
}

export function pickDrive(turn: Turn, end: string, way = 0): void {
  turn.change({ drive: { end, way } })
}

/** The drive that steps begin: where only one way is left, the rest of it is not chosen. Else the best to their end. */
export function driveOf(turn: Turn, steps: readonly Action[]): { drive: Drive; way: number } | undefined {
  const path = steps.map((step) => step['to'] as string)
  const begins = (way: Way) => path.every((space, i) => way.path[i + 1] === space)
  const drives = drivesOf(turn).map((drive) => ({ drive, way: drive.ways.findIndex(begins) }))
  return (
    drives.find(({ drive, way }) => way >= 0 && drive.ways[way]!.path.length === path.length + 1) ??
    drives.find(({ way }) => way >= 0) ??
    drives.map(({ drive }) => ({ drive, way: 0 })).find(({ drive }) => drive.end === path.at(-1))
  )
}

/** Pick the drive that steps begin. */
export function layDrive(turn: Turn, steps: readonly Action[]): void {
  const found = driveOf(turn, steps)
  if (found) pickDrive(turn, found.drive.end, found.way)
}

/** Drive the way picked, step by step. */
export function goPicked(turn: Turn): void {
  const picked = pickedOf(turn)
  if (picked) turn.follow(picked.way.path.slice(1).map((to) => ({ kind: 'step', to })))
}
