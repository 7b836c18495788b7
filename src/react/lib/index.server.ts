/**
 * The exports of `index.ts` for server components (the export condition `react-server`): plain functions and values
 * stay usable there, and client code comes from files with `'use client'`.
 */

export { flattenRow } from '@vitrine/contract';
export { useReportActions } from './actions.ts';
export { EmbeddedReport } from './EmbeddedReport.tsx';
export { EmbedError } from './errors/embedError.ts';
export { embedKeyOptions, embedKeyPrefix } from './keys/embedKeyOptions.ts';
export { englishLabels } from './labels/labels.ts';
export { EmbedProvider } from './provider/EmbedProvider.tsx';
export { useEmbeddedReport } from './useEmbeddedReport.ts';
export { usePrefetchReport } from './usePrefetchReport.ts';
