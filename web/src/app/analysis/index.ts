/** What the page loads only where a race is analysed or evaluated. */
export { RaceAnalysis, chancesAt } from './analysis.svelte.ts'
export { default as EvaluationBar } from './EvaluationBar.svelte'
export { default as RaceAnalysisPanel } from './RaceAnalysisPanel.svelte'
