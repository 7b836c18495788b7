/**
 * The names of `index.ts` for server components (the export condition `react-server`): what is a plain function or value
 * stays one there, and what needs a browser's React is named from files of its own that say `'use client'`.
 */

export { flattenRow } from '@vitrine/contract';
export { useReportActions } from './actions/useReportActions.ts';
export { EmbeddedReport } from './EmbeddedReport.tsx';
export { EmbedError } from './errors/embedError.ts';
export { embedKeyOptions, embedKeyPrefix } from './keys/embedKeyOptions.ts';
export { englishLabels } from './labels/labels.ts';
export { EmbedProvider } from './provider/EmbedProvider.tsx';
export { useEmbeddedReport } from './useEmbeddedReport.ts';
export { usePrefetchReport } from './usePrefetchReport.ts';
