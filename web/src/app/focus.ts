/** Keyboard focus stays with the choice: what was pressed goes away when a choice is made, and the next one comes. */
const CHOICE = '.dock, .target'
const FIRST = '.target, .dock button:not(:disabled)'

/** Whether an element belongs to the choice, on the board or in the dock. */
export const isInChoice = (target: EventTarget | null) =>
  target instanceof Element && target.closest(CHOICE) !== null

/** Give the focus to the first thing that can be chosen, unless it lies somewhere else. */
export function focusChoice(): void {
  const active = document.activeElement
  if (active && active !== document.body) return
  document.querySelector<HTMLElement | SVGElement>(FIRST)?.focus({ preventScroll: true })
}
