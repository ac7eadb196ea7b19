"""The HTTP application: routes, middleware, guests' cookies, the files of the page."""
