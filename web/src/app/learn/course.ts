/** The course of a game: its lessons, and which of them the guest has done. */
import { get, post } from '../api.ts'
import { ensureGuest } from '../guest.svelte.ts'
import type { Action } from '../protocol.ts'
import type { Text } from '../practice/practice.svelte.ts'

export interface LessonInfo {
  name: string
  title: Text
  rules: string[]
  tasks: number
  isDone: boolean
}
export interface CourseInfo {
  lessons: LessonInfo[]
}

export async function loadCourse(game: string): Promise<CourseInfo> {
  const { lessons } = await get<{ lessons: (Omit<LessonInfo, 'isDone'> & { done: boolean })[] }>(
    `/lessons/${game}`,
  )
  return { lessons: lessons.map(({ done, ...rest }) => ({ ...rest, isDone: done })) }
}

/** Keep that a lesson is done, with the choices that prove it; whoever is nobody yet becomes a guest. */
export async function keepDone(game: string, name: string, choices: readonly Action[]): Promise<void> {
  await ensureGuest()
  await post(`/lessons/${game}/${name}/done`, { choices: [...choices] })
}
