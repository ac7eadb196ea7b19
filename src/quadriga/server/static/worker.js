/* Shows a note when the server says that a choice is awaited, and opens the table. The words come with the address the page registers it under. */
const words = new URL(self.location.href).searchParams

self.addEventListener('push', (event) => {
  const { table, name, game, url } = event.data.json()
  const body = (words.get('body') ?? '').replace('{player}', name).replace('{game}', words.get(game) ?? game)
  event.waitUntil(
    self.registration.showNotification(words.get('title') ?? 'Quadriga', {
      body,
      tag: table,
      icon: '/icon.svg',
      data: url,
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(self.clients.openWindow(event.notification.data))
})
