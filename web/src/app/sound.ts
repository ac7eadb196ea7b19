/** A horn of two notes when it is one's turn, made from plain tones. */
import { settings } from './settings.svelte.ts'

let context: AudioContext | null = null

function tone(frequency: number, start: number, length: number, loud: number): void {
  context ??= new AudioContext()
  const oscillator = context.createOscillator()
  const gain = context.createGain()
  oscillator.type = 'triangle'
  oscillator.frequency.value = frequency
  gain.gain.setValueAtTime(loud, context.currentTime + start)
  gain.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + start + length)
  oscillator.connect(gain).connect(context.destination)
  oscillator.start(context.currentTime + start)
  oscillator.stop(context.currentTime + start + length)
}

export function chime(): void {
  if (!settings.sound) return
  tone(392, 0, 0.25, 0.12)
  tone(587, 0.16, 0.45, 0.12)
}
