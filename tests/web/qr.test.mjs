// Codes that the page draws, read back as a scanner would: format, mask, blocks, error correction, bytes.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROOT } from './harness.mjs'

const require = createRequire(join(ROOT, 'web/package.json'))
const folder = mkdtempSync(join(tmpdir(), 'quadriga-qr-'))
let encode

before(async () => {
  const { build } = await import(pathToFileURL(require.resolve('vite')))
  const lib = { entry: join(ROOT, 'web/src/app/qr.ts'), formats: ['es'], fileName: () => 'qr.mjs' }
  await build({ configFile: false, logLevel: 'error', build: { lib, outDir: folder } })
  ;({ encode } = await import(pathToFileURL(join(folder, 'qr.mjs'))))
})
after(() => rmSync(folder, { recursive: true }))

/** From the standard's table of level M: centres of alignment, blocks as [count, all codewords, of them data]. */
const VERSIONS = {
  1: [[], [[1, 26, 16]]],
  2: [[6, 18], [[1, 44, 28]]],
  3: [[6, 22], [[1, 70, 44]]],
  4: [[6, 26], [[2, 50, 32]]],
  5: [[6, 30], [[2, 67, 43]]],
  6: [[6, 34], [[4, 43, 27]]],
  7: [[6, 22, 38], [[4, 49, 31]]],
  8: [[6, 24, 42], [[2, 60, 38], [2, 61, 39]]],
  10: [[6, 28, 50], [[4, 69, 43], [1, 70, 44]]],
  15: [[6, 26, 48, 70], [[5, 65, 41], [5, 66, 42]]],
  20: [[6, 34, 62, 90], [[3, 67, 41], [13, 68, 42]]],
} // prettier-ignore

const MASKS = [
  (x, y) => (y + x) % 2 === 0,
  (x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (y + x) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (x, y) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0,
  (x, y) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
]

/** Whether a module belongs to a pattern, the format or the version, and not to the data. */
function isFixed(x, y, size, centres) {
  const corner = (x < 9 && (y < 9 || y >= size - 8)) || (x >= size - 8 && y < 9)
  const version = size >= 45 && ((x < 6 && y >= size - 11) || (y < 6 && x >= size - 11))
  const near = (cx, cy) => Math.abs(cx - x) < 3 && Math.abs(cy - y) < 3
  const last = size - 7
  const aligned = centres.some((cx) =>
    centres.some((cy) => near(cx, cy) && ![[6, 6], [6, last], [last, 6]].some(([a, b]) => a === cx && b === cy)),
  ) // prettier-ignore
  return corner || version || aligned || x === 6 || y === 6
}

function readMask(code) {
  const bits = [0, 1, 2, 3, 4, 5, 7, 8].map((x) => code[8][x]).join('')
  const format = parseInt(bits.slice(0, 5), 2) ^ 0b10101
  assert.equal(format >> 3, 0, 'the level is M')
  return MASKS[format & 7]
}

/** All codewords, in the order in which they lie. */
function readWords(code, centres) {
  const size = code.length
  const mask = readMask(code)
  let bits = ''
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right = 5
    for (let i = 0; i < size; i++)
      for (const x of [right, right - 1]) {
        const y = isUp ? size - 1 - i : i
        if (!isFixed(x, y, size, centres)) bits += code[y][x] ^ mask(x, y)
      }
  }
  return bits.match(/.{8}/g).map((word) => parseInt(word, 2))
}

function multiply(a, b) {
  let product = 0
  for (; b; b >>= 1, a = (a << 1) ^ (a & 128 ? 0x11d : 0)) if (b & 1) product ^= a
  return product
}

/** A block is whole if it is zero at every root. */
function assertWhole(block, corrections) {
  for (let i = 0, root = 1; i < corrections; i++, root = multiply(root, 2))
    assert.equal(
      block.reduce((sum, word) => multiply(sum, root) ^ word, 0),
      0,
    )
}

function read(code) {
  const version = (code.length - 17) / 4
  const [centres, groups] = VERSIONS[version]
  const words = readWords(code, centres)
  const blocks = groups.flatMap(([count, all, data]) =>
    Array.from({ length: count }, () => ({ all, data, words: [] })),
  )
  const most = Math.max(...blocks.map(({ data }) => data))
  let at = 0
  for (let i = 0; i < most; i++) for (const block of blocks) if (i < block.data) block.words.push(words[at++])
  const data = blocks.flatMap((block) => [...block.words])
  for (let i = 0; i < blocks[0].all - blocks[0].data; i++)
    for (const block of blocks) block.words.push(words[at++])
  for (const block of blocks) assertWhole(block.words, block.all - block.data)
  const bits = data.map((word) => word.toString(2).padStart(8, '0')).join('')
  assert.equal(bits.slice(0, 4), '0100', 'bytes')
  const width = version < 10 ? 8 : 16
  const length = parseInt(bits.slice(4, 4 + width), 2)
  const bytes = bits.slice(4 + width, 4 + width + length * 8).match(/.{8}/g)
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => parseInt(byte, 2)))
}

for (const length of [1, 14, 15, 26, 42, 62, 84, 106, 122, 123, 152, 200, 213, 412, 660, 666])
  test(`a text of ${length} bytes can be read`, () => {
    const text = Array.from({ length }, (_, i) => String.fromCharCode(33 + ((i * 7 + length) % 90))).join('')
    const code = encode(text)
    assert.equal(read(code), text)
    for (const [x, y] of [[0, 0], [code.length - 7, 0], [0, code.length - 7]])
      assert.deepEqual(code[y].slice(x, x + 7), [1, 1, 1, 1, 1, 1, 1])
  }) // prettier-ignore

test('letters beyond ASCII are written as UTF-8', () =>
  assert.equal(read(encode('¡Más, Prásina!')), '¡Más, Prásina!'))

test('a text that no code holds gives none', () => assert.deepEqual(encode('x'.repeat(667)), []))
