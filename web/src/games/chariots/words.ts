/** Squares and ways as people say them, for those who hear the page. */
import { inList, type Words } from '../../app/words.svelte.ts'
import type { Way } from './steps.ts'

/** `4,1.5` as it is said: column 4, row 1½. */
export function squareInWords(words: Words, square: string): string {
  const [column, row = ''] = square.split(',')
  return words.say('square', { column, row: row.replace('.5', '½') })
}

/** Ahead, back, in and out; empty until the server has told. */
export const wayInWords = (words: Words, way: Way | null): string =>
  inList([way?.along, way?.across].flatMap((one) => (one ? [words.say(`ways.${one}`)] : [])))
