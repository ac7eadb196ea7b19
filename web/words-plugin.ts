/** Turns the catalogues of words, TOML for people and Python, into JSON files of which a page loads one. */
import { basename } from 'node:path'
import { parse } from 'smol-toml'
import type { Plugin } from 'vite'
import { dataFile } from './data-file.ts'

/** A catalogue is imported as the address of its words, in JSON. */
export function wordsFiles(): Plugin {
  let isBuild = true
  return {
    name: 'words',
    enforce: 'pre',
    configResolved: ({ command }) => {
      isBuild = command === 'build'
    },
    transform(code, id) {
      if (!id.endsWith('.toml')) return undefined
      return dataFile(this, `${basename(id, '.toml')}.words.json`, JSON.stringify(parse(code)), isBuild)
    },
  }
}
