/** Modules whose value is the address of a JSON file. */
import type { Rollup } from 'vite'

export function dataFile(
  build: Rollup.TransformPluginContext,
  name: string,
  source: string,
  isBuild: boolean,
): { code: string; map: null; moduleType: 'js' } {
  const address = isBuild
    ? `import.meta.ROLLUP_FILE_URL_${build.emitFile({ type: 'asset', name, source })}`
    : JSON.stringify(`data:application/json,${encodeURIComponent(source)}`)
  return { code: `export default ${address}`, map: null, moduleType: 'js' }
}
