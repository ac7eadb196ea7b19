import js from '@eslint/js'
import prettier from 'eslint-config-prettier'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

/** Paths are relative to the repository: the page's own tests lie in tests/web. */
export default ts.config(
  { ignores: ['**/node_modules/', 'web/src/app/http.ts'] },
  js.configs.recommended,
  ts.configs.strict,
  svelte.configs.recommended,
  prettier,
  svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-nested-ternary': 'error',
      'max-lines-per-function': ['error', 40],
      'no-undef': 'off', // TypeScript checks names
      'svelte/prefer-svelte-reactivity': 'off', // maps and sets here are values, never changed in place
      '@typescript-eslint/no-non-null-assertion': 'off', // an index within bounds, which noUncheckedIndexedAccess doubts
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  { files: ['**/*.svelte'], rules: { 'max-lines': ['error', 300] } },
)
