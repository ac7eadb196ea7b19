/** A text catalogue is imported as its address; it is JSON there. */
declare module '*.toml' {
  const address: string
  export default address
}
