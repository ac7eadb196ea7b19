/** From a revealed seed to every number drawn, worked out in the page; docs/fairness.md tells how. */
import { chacha8 } from '@noble/ciphers/chacha.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

const BLOCK_BYTES = 64
const NONCE_BYTES = 12
const WORDS = 2 ** 32

/** What the server commits to before the race. */
export const commitmentTo = (seed: string): string => bytesToHex(sha256(hexToBytes(seed)))

/** The key of a race: the seed and the nonces of the players, hashed together. */
export function raceKey(seed: string, nonces: readonly string[]): Uint8Array {
  const hashes = nonces.map((nonce) => sha256(utf8ToBytes(nonce)))
  return sha256(concatBytes(utf8ToBytes('quadriga key'), hexToBytes(seed), ...hashes))
}

/** The numbers of one step of the log: each call draws one below `n`. */
export function drawer(key: Uint8Array, seq: number): (n: number) => number {
  const nonce = new Uint8Array(NONCE_BYTES)
  new DataView(nonce.buffer).setUint32(0, seq, true)
  const readBlock = (counter: number) =>
    new DataView(chacha8(key, nonce, new Uint8Array(BLOCK_BYTES), undefined, counter).buffer)
  let counter = 0
  let at = 0
  let block = readBlock(counter)
  const next = () => {
    if (at === BLOCK_BYTES) {
      block = readBlock(++counter)
      at = 0
    }
    at += 4
    return block.getUint32(at - 4, true)
  }
  return (n) => {
    for (;;) {
      const word = next()
      if (word < WORDS - (WORDS % n)) return word % n
    }
  }
}

/** Cards as a shuffle leaves them, from the last place down. */
export function shuffled<Card>(cards: readonly Card[], draw: (n: number) => number): Card[] {
  const found = [...cards]
  for (let i = found.length - 1; i > 0; i--) {
    const j = draw(i + 1)
    ;[found[i], found[j]] = [found[j]!, found[i]!]
  }
  return found
}
