/** After the next frame is drawn; soon, where nobody looks. */
export const drawn = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, 60)
  })
