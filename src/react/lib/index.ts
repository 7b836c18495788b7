'use client';
export { useReportActions } from './actions.ts';
export { EmbeddedReport } from './EmbeddedReport.tsx';
export { EmbedError } from './errors/embedError.ts';
export { embedKeyOptions, embedKeyPrefix } from './keys/embedKeyOptions.ts';
export { englishLabels } from './labels/labels.ts';
export { EmbedProvider } from './provider/EmbedProvider.tsx';
export { useEmbeddedReport } from './useEmbeddedReport.ts';
export { usePrefetchReport } from './usePrefetchReport.ts';

export { flattenRow } from '@vitrine/contract';
export type { ActionField, ActionRow, ActionValue, FlatActionRow, ReportAction } from '@vitrine/contract';
export type { ActionStreamStatus } from './inspectors.ts';
export type { ActionFilter } from './actions.ts';
export type { ReportActionsOptions } from './actions.ts';
export type { EmbeddedReportHandle, EmbeddedReportProps } from './EmbeddedReport.tsx';
export type { EmbedErrorFacts } from './errors/embedError.ts';
export type { EmbedErrorCode, EmbedErrorKind, EmbedErrorRetry } from './errors/classifyError.ts';
export type {
  RefreshDue,
  RefreshPolicy,
  ReportCallbacks,
  ReportContext,
  ReportOptions,
} from './frames/reportOptions.ts';
export type { ReportFrame, ReportFrameProps, ReportSnapshot, ReportState } from './frames/reportState.ts';
export type { EmbedKeyOptions } from './keys/embedKeyOptions.ts';
export type { KeyRequestHeaders, KeyRequestOptions } from './keys/keyRequestOptions.ts';
export type { ErrorLabel, LabelOverrides, Labels } from './labels/labels.ts';
export type { EmbedProviderProps } from './provider/EmbedProvider.tsx';
export type { Environment, FrameEnvironment } from './session/environment.ts';
export type { EmbeddedReportOptions, EmbeddedReportResult } from './useEmbeddedReport.ts';
export type { FrameProps } from './view/ReportFrames.tsx';
export type { ErrorSlotProps, LoadingSlotProps, ReportSlots } from './view/reportSlots.ts';
