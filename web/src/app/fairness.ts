/** From a revealed seed to every number drawn, worked out in the page; docs/fairness.md tells how. */

const rotated = (word: number, bits: number) => ((word << bits) | (word >>> (32 - bits))) >>> 0

/** The first 32 bits of the fractional parts of roots of the first primes, which SHA-256 is made of. */
function roots(count: number, root: number): Uint32Array {
  const found: number[] = []
  for (let n = 2; found.length < count; n++)
    if (!Array.from({ length: n - 2 }, (_, i) => i + 2).some((d) => n % d === 0)) found.push(n)
  return Uint32Array.from(found, (prime) => (prime ** (1 / root) % 1) * 2 ** 32)
}
const START = roots(8, 2)
const ROUNDS = roots(64, 3)

/** SHA-256 of some bytes; the browser's own is only there on secure pages. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const words = new DataView(padded.buffer)
  words.setUint32(padded.length - 4, bytes.length * 8)
  const hash = Uint32Array.from(START)
  for (let at = 0; at < padded.length; at += 64) digest(hash, words, at)
  const out = new DataView(new ArrayBuffer(32))
  hash.forEach((word, i) => out.setUint32(i * 4, word))
  return new Uint8Array(out.buffer)
}

function digest(hash: Uint32Array, words: DataView, at: number): void {
  const w = new Uint32Array(64)
  for (let i = 0; i < 16; i++) w[i] = words.getUint32(at + i * 4)
  for (let i = 16; i < 64; i++)
    w[i] =
      w[i - 16]! +
      w[i - 7]! +
      (rotated(w[i - 15]!, 25) ^ rotated(w[i - 15]!, 14) ^ (w[i - 15]! >>> 3)) +
      (rotated(w[i - 2]!, 15) ^ rotated(w[i - 2]!, 13) ^ (w[i - 2]! >>> 10))
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  for (let i = 0; i < 64; i++) {
    const one =
      (h + (rotated(e, 26) ^ rotated(e, 21) ^ rotated(e, 7)) + ((e & f) ^ (~e & g)) + ROUNDS[i]! + w[i]!) >>>
      0
    const two = ((rotated(a, 30) ^ rotated(a, 19) ^ rotated(a, 10)) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0]
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, i) => {
    hash[i] = hash[i]! + word
  })
}

export const hex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
export const unhex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))

/** The key of a race: the seed and the nonces of the players, hashed together. */
export function raceKey(seed: string, nonces: readonly string[]): Uint32Array {
  const text = new TextEncoder()
  const parts = [
    text.encode('quadriga key'),
    unhex(seed),
    ...nonces.map((nonce) => sha256(text.encode(nonce))),
  ]
  const bytes = sha256(Uint8Array.from(parts.flatMap((part) => [...part])))
  const view = new DataView(bytes.buffer)
  return Uint32Array.from({ length: 8 }, (_, i) => view.getUint32(i * 4, true))
}

function quarter(s: Uint32Array, a: number, b: number, c: number, d: number): void {
  for (const [x, y, z, bits] of [
    [a, b, d, 16],
    [c, d, b, 12],
    [a, b, d, 8],
    [c, d, b, 7],
  ] as const) {
    s[x] = s[x]! + s[y]!
    s[z] = rotated(s[z]! ^ s[x]!, bits)
  }
}

/** A block of ChaCha with eight rounds. */
function chacha8(key: Uint32Array, counter: number, seq: number): Uint32Array {
  const start = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...key, counter, seq, 0, 0)
  const s = Uint32Array.from(start)
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < 4; i++) quarter(s, i, 4 + i, 8 + i, 12 + i)
    for (let i = 0; i < 4; i++) quarter(s, i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4))
  }
  return s.map((word, i) => word + start[i]!)
}

/** The numbers of one step of the log: each call draws one below `n`. */
export function drawer(key: Uint32Array, seq: number): (n: number) => number {
  let block = chacha8(key, 0, seq),
    spent = 0,
    counter = 0
  const next = () => {
    if (spent === 16) [block, spent] = [chacha8(key, ++counter, seq), 0]
    return block[spent++]!
  }
  return (n) => {
    for (;;) {
      const word = next()
      if (word < 2 ** 32 - (2 ** 32 % n)) return word % n
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
