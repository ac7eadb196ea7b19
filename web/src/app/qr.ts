/** QR codes (ISO/IEC 18004): bytes, error correction of level M, the smallest version that holds them. */

/** Codewords for error correction in each block, and the number of blocks, by version. */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26]
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]

/** Modules row by row, 1 for a dark one; undefined where none is laid yet. */
type Grid = (number | undefined)[][]

/** Exponents and logarithms of the field with 256 elements. */
const EXP: number[] = []
const LOG: number[] = []
for (let i = 0, x = 1; i < 255; i++) {
  EXP[i] = x
  LOG[x] = i
  x = (x << 1) ^ (x & 128 ? 0x11d : 0)
}
const times = (a: number, b: number) => (a && b ? EXP[(LOG[a]! + LOG[b]!) % 255]! : 0)

/** What corrects errors of a block. */
function correct(block: readonly number[], count: number): number[] {
  let divisor = [1]
  for (let i = 0; i < count; i++)
    divisor = [...divisor, 0].map((c, k) => c ^ times(divisor[k - 1] ?? 0, EXP[i]!))
  const rest = [...block, ...new Array<number>(count).fill(0)]
  for (let i = 0; i < block.length; i++) {
    const factor = rest[i]!
    divisor.forEach((c, k) => (rest[i + k]! ^= times(c, factor)))
  }
  return rest.slice(block.length)
}

/** A number followed by its remainder, as format and version are written. */
function secure(value: number, generator: number): number {
  const width = 31 - Math.clz32(generator)
  let rest = value << width
  while (rest >> width) rest ^= generator << (Math.clz32(generator) - Math.clz32(rest))
  return (value << width) | rest
}

/** Where patterns for alignment have their centres, along both sides. */
function alignment(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  return Array.from({ length: count }, (_, i) => (i ? version * 4 + 10 - (count - 1 - i) * step : 6))
}

/** Lay a square pattern of rings around a centre; `dark` says which rings are dark. */
function lay(grid: Grid, x: number, y: number, radius: number, dark: (ring: number) => boolean): void {
  for (let dy = -radius; dy <= radius; dy++)
    for (let dx = -radius; dx <= radius; dx++)
      if (grid[y + dy] && x + dx >= 0 && x + dx < grid.length)
        grid[y + dy]![x + dx] = Number(dark(Math.max(Math.abs(dx), Math.abs(dy))))
}

/** The patterns by which a reader finds the code, and the version; the place of the format is kept free. */
function patterns(version: number): Grid {
  const size = version * 4 + 17
  const grid: Grid = Array.from({ length: size }, () => new Array<number | undefined>(size).fill(undefined))
  for (let i = 0; i < size; i++) grid[6]![i] = grid[i]![6] = (i + 1) % 2
  const centres = alignment(version)
  for (const x of centres)
    for (const y of centres)
      if (![6, size - 7].includes(x) || ![6, size - 7].includes(y) || (x === y && x !== 6))
        lay(grid, x, y, 2, (ring) => ring !== 1)
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    lay(grid, x, y, 4, (ring) => ring !== 2 && ring !== 4)
  if (version > 6)
    for (let i = 0, code = secure(version, 0x1f25); i < 18; i++) {
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)]
      grid[a]![b] = grid[b]![a] = (code >> i) & 1
    }
  return grid
}

/** Write which mask is used, twice, at level M (0). */
function format(grid: Grid, mask: number): void {
  const size = grid.length
  const code = secure(mask, 0x537) ^ 0x5412
  for (let i = 0; i < 15; i++) {
    const bit = (code >> i) & 1
    const along = i < 8 ? size - 1 - i : 14 - i + Number(i === 8)
    const down = i < 6 ? i : i + 1
    grid[8]![along] = bit
    grid[i < 8 ? down : size - 15 + i]![8] = bit
  }
  grid[size - 8]![8] = 1
}

/** The bytes with their header, filled up to `room` codewords; null if there is not room enough. */
function fill(bytes: Uint8Array, version: number, room: number): number[] | null {
  const width = version < 10 ? 8 : 16
  let text = (4).toString(2).padStart(4, '0') + bytes.length.toString(2).padStart(width, '0')
  for (const byte of bytes) text += byte.toString(2).padStart(8, '0')
  if (text.length > room * 8) return null
  text = text.padEnd(Math.min(room * 8, text.length + 4), '0')
  const words = text.match(/.{1,8}/g)!.map((word) => parseInt(word.padEnd(8, '0'), 2))
  for (let pad = 0xec; words.length < room; pad ^= 0xec ^ 0x11) words.push(pad)
  return words
}

/** Divide codewords into blocks, and take them from the blocks in turn, those for correction last. */
function interleave(words: readonly number[], blocks: number, correction: number): number[] {
  const short = Math.floor(words.length / blocks)
  const firstLong = blocks - (words.length % blocks)
  const data = Array.from({ length: blocks }, (_, i) => {
    const start = i * short + Math.max(0, i - firstLong)
    return words.slice(start, start + short + Number(i >= firstLong))
  })
  const inTurn = (parts: readonly number[][]) =>
    Array.from({ length: parts.at(-1)!.length }, (_, k) =>
      parts.flatMap((part) => part.slice(k, k + 1)),
    ).flat()
  return [...inTurn(data), ...inTurn(data.map((block) => correct(block, correction)))]
}

/** The places for data, in the order in which it is laid: up and down in columns of two. */
function* places(grid: Grid): Generator<[number, number]> {
  const size = grid.length
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2)
    for (let i = 0; i < size; i++)
      for (const x of [right, right - 1]) {
        const y = (right + 1) & 2 ? i : size - 1 - i
        if (grid[y]![x] === undefined) yield [x, y]
      }
}

const MASKS: ((x: number, y: number) => number)[] = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
]

/** How hard a code is to read: long runs, squares, what looks like a pattern of a corner, too much of one colour. */
function penalty(grid: Grid): number {
  const rows = grid.map((row) => row.join(''))
  const columns = grid.map((_, x) => grid.map((row) => row[x]).join(''))
  let sum = 0
  for (const line of [...rows, ...columns]) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2
    sum += 40 * (line.match(/1011101(?=0000)|(?<=0000)1011101/g)?.length ?? 0)
  }
  for (let y = 1; y < rows.length; y++)
    for (let x = 1; x < rows.length; x++)
      if (/^(0000|1111)$/.test(rows[y - 1]!.slice(x - 1, x + 1) + rows[y]!.slice(x - 1, x + 1))) sum += 3
  const dark = rows.join('').replaceAll('0', '').length / rows.length ** 2
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20)
}

/** The code of a text: its rows of modules, 1 for a dark one; empty if the text is too long. */
export function encode(text: string): number[][] {
  const bytes = new TextEncoder().encode(text)
  for (let version = 1; version <= BLOCKS.length; version++) {
    const grid = patterns(version)
    format(grid, 0)
    const free = [...places(grid)]
    const [blocks, correction] = [BLOCKS[version - 1]!, CORRECTION[version - 1]!]
    const words = fill(bytes, version, Math.floor(free.length / 8) - blocks * correction)
    if (words) return best(grid, free, interleave(words, blocks, correction))
  }
  return []
}

/** Lay the codewords with each mask, and keep the code that is easiest to read. */
function best(grid: Grid, free: readonly [number, number][], words: readonly number[]): number[][] {
  const codes = MASKS.map((mask, number) => {
    const code = grid.map((row) => [...row])
    format(code, number)
    free.forEach(([x, y], i) => {
      code[y]![x] = (((words[i >> 3] ?? 0) >> (7 - (i & 7))) & 1) ^ Number(mask(x, y) === 0)
    })
    return { code: code as number[][], penalty: penalty(code) }
  })
  return codes.reduce((one, other) => (other.penalty < one.penalty ? other : one)).code
}
