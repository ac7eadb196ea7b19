/** Data is imported as its address; it is JSON there. */
declare module '*.toml' {
  const address: string
  export default address
}
declare module 'virtual:art' {
  const address: string
  export default address
}
