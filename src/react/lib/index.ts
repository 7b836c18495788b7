'use client';

export { useReportActions } from './actions/useReportActions.ts';
export { EmbeddedReport } from './EmbeddedReport.tsx';
export { EmbedError } from './errors/embedError.ts';
export { embedKeyOptions } from './keys/embedKeyOptions.ts';
export { englishLabels } from './labels/labels.ts';
export { EmbedProvider } from './provider/EmbedProvider.tsx';
export { useEmbeddedReport } from './useEmbeddedReport.ts';
export { usePrefetchReport } from './usePrefetchReport.ts';

export type { ActionRow, ActionValue, ReportAction } from '@vitrine/contract';
export type { ActionFilter } from './actions/matchAction.ts';
export type { EmbeddedReportHandle, EmbeddedReportProps, SlotProps } from './EmbeddedReport.tsx';
export type { EmbedErrorCode, EmbedErrorFacts } from './errors/embedError.ts';
export type { EmbedErrorKind } from './errors/errorKind.ts';
export type { ReportFrame, ReportFrameProps, ReportSnapshot, ReportState } from './frames/reportState.ts';
export type { RefreshDue, RefreshPolicy, ReportViewOptions } from './frames/viewOptions.ts';
export type { EmbedKeyOptions } from './keys/embedKeyOptions.ts';
export type { KeyRequestHeaders, KeyRequestOptions } from './keys/requestKey.ts';
export type { ErrorLabel, Labels } from './labels/labels.ts';
export type { Environment } from './life/environment.ts';
export type { EmbedProviderProps } from './provider/EmbedProvider.tsx';
export type { EmbeddedReportOptions, EmbeddedReportResult } from './useEmbeddedReport.ts';
