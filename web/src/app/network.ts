/** Whether links to this server work for others. */
import { about } from './create.ts'

const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/

export interface Reach {
  /** What links begin with. */
  origin: string
  /** Whether they work on this machine alone. */
  isAlone: boolean
  /** Where others would find the server, if it listened to them. */
  home: string | null
}

/** A page that was opened by a loopback address hands out links with the machine's own, if others can use that. */
export async function findReach(): Promise<Reach> {
  if (!LOOPBACK.test(location.hostname)) return { origin: location.origin, isAlone: false, home: null }
  const { network } = await about()
  if (network?.url) return { origin: network.url, isAlone: false, home: null }
  const home = network && `${location.protocol}//${network.address}${location.port && `:${location.port}`}`
  return { origin: location.origin, isAlone: true, home }
}
