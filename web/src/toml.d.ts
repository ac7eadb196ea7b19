declare module '*.toml' {
  interface Table {
    [key: string]: string | Table
  }
  const data: Table
  export default data
}
