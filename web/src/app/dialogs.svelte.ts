/** Which windows of the whole page are open; the buttons for them lie in different heads. */
export const dialogs = $state({ settings: false })
