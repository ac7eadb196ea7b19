/** Change the language of the page. */
import { applySettings, settings, type Settings } from './settings.svelte.ts'
import { loadWords } from './words.svelte.ts'

export function speak(language: Settings['language']): void {
  settings.language = language
  applySettings()
  void loadWords()
}
