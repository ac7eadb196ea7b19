/** The address of a catalogue's words, in JSON; words-plugin.ts makes it. */
declare module '*.toml' {
  const address: string
  export default address
}
