/** The HTTP side of the protocol; http.ts has its paths and bodies, made from the server's schema. */
import type { paths } from './http.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'
/** A path of the schema below /api, with any text in place of its parameters. */
type Filled<P> = P extends `${infer Head}{${string}}${infer Tail}` ? `${Head}${string}${Filled<Tail>}` : P
type Below<P> = P extends `/api${infer Rest}` ? Filled<Rest> : never
type Arguments<P, Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? [path: Below<P>, body: Body]
  : [path: Below<P>]
/** The paths that take a method, each with the body it wants. */
type Requests<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends object ? Arguments<P, paths[P][M]> : never
}[keyof paths]
type PathOf<M extends Method> = Requests<M>[0]

export interface Problem {
  code: string
  params: Record<string, unknown>
  sentence: string
}

/** A refusal by the server, with its code for the catalogue and its English sentence for logs. */
export class Refused extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(problem.sentence)
  }
}

const PATIENCE = 5

/** A question is put again, a few times, to a server that is asked too much from this address. */
async function ask(path: string, init: RequestInit): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`/api${path}`, init)
    if (answer.status !== 429 || init.method !== 'GET' || tries === PATIENCE) return answer
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers.get('retry-after') ?? 1)))
  }
}

export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
  }
  if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await ask(path, init)
  const data = answer.status === 204 ? null : await answer.json().catch(() => null)
  if (!answer.ok)
    throw new Refused(
      data?.error ?? { code: 'unreachable', params: {}, sentence: answer.statusText },
      answer.status,
    )
  return data as T
}

export const get = <T>(path: PathOf<'get'>, query = '') => call<T>('GET', path + query)
export const post = <T>(...[path, body = {}]: Requests<'post'>) => call<T>('POST', path, body)
export const upload = <T>(path: PathOf<'post'>, text: string) => call<T>('POST', path, text)
export const patch = <T>(...[path, body]: Requests<'patch'>) => call<T>('PATCH', path, body)
export const drop = <T>(path: PathOf<'delete'>, query = '') => call<T>('DELETE', path + query)

const once = new Map<string, Promise<unknown>>()

/** Fetched the first time only: what does not change while the page is open. */
export function getOnce<T>(path: PathOf<'get'>): Promise<T> {
  if (!once.has(path))
    once.set(
      path,
      get(path).catch((error: unknown) => {
        once.delete(path)
        throw error
      }),
    )
  return once.get(path) as Promise<T>
}
