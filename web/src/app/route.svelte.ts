/** Where in the page one is: `/`, `/new/<game>`, `/t/<table>`, and `/t/<table>#step=12` for a replay. */
const read = () => ({ path: location.pathname, hash: new URLSearchParams(location.hash.slice(1)) })

export const route = $state(read())

export function go(path: string): void {
  history.pushState(null, '', path)
  Object.assign(route, read())
  window.scrollTo(0, 0)
}

/** Change the hash without a new entry in the history. */
export function setHash(values: Record<string, string>): void {
  history.replaceState(null, '', `${location.pathname}#${new URLSearchParams(values)}`)
  route.hash = new URLSearchParams(values)
}

window.addEventListener('popstate', () => Object.assign(route, read()))
window.addEventListener('hashchange', () => Object.assign(route, read()))

/** A click on a link within the page goes there without loading it again. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest('a[href^="/"]')
  if (!link || event.metaKey || event.ctrlKey || link.hasAttribute('download') || link.getAttribute('target'))
    return
  event.preventDefault()
  go(link.getAttribute('href')!)
}
