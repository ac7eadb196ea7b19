declare module '*.toml' {
  const data: { [key: string]: any }
  export default data
}
