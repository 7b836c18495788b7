/**
 * The exports of `index.ts` for server components (the export condition `react-server`): plain functions and values
 * stay usable there, and client code comes from files with `'use client'`.
 */

export { flattenRow } from '@vitrine/contract';
export { useReportActions } from './actions.ts';
export { EmbeddedReport } from './EmbeddedReport.tsx';
export { EmbedProvider, useEmbed } from './EmbedProvider.tsx';
export { EmbedError } from './errors.ts';
export { embedKeyOptions, embedKeyPrefix } from './keyQuery.ts';
export { englishLabels } from './labels.ts';
export { usePrefetchReport } from './prefetch.ts';
export { useEmbeddedReport } from './useEmbeddedReport.ts';
