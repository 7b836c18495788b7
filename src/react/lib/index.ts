// No directive: plain functions and values stay usable in server components, and client code comes from files that have it.
export { useReportActions } from './actions.ts';
export { EmbeddedReport } from './EmbeddedReport.tsx';
export { EmbedProvider, useEmbed } from './EmbedProvider.tsx';
export { EmbedError } from './errors.ts';
export { embedKeyOptions, embedKeyPrefix } from './keyQuery.ts';
export { englishLabels } from './labels.ts';
export { usePrefetchReport } from './prefetch.ts';
export { useEmbeddedReport } from './useEmbeddedReport.ts';

export { flattenRow } from '@vitrine/contract';
export type { ActionField, ActionRow, ActionValue, FlatActionRow, ReportAction } from '@vitrine/contract';
export type { ActionFilter, ActionStreamStatus, ReportActionsOptions } from './actionSubscription.ts';
export type { EmbeddedReportHandle, EmbeddedReportProps } from './EmbeddedReport.tsx';
export type { EmbedControls, EmbedProviderProps } from './EmbedProvider.tsx';
export type { EmbedErrorCode, EmbedErrorFacts, EmbedErrorKind, EmbedErrorRetry } from './errors.ts';
export type { FrameProps } from './ReportIframes.tsx';
export type { EmbedKeyOptions, KeyRequestHeaders } from './keyOptions.ts';
export type { ErrorLabel, LabelOverrides, Labels } from './labels.ts';
export type {
  RefreshDue,
  RefreshPolicy,
  ReportCallbacks,
  ReportContext,
  ReportFrame,
  ReportFrameProps,
  ReportLoad,
  ReportOptions,
  ReportSnapshot,
  ReportState,
} from './reportState.ts';
export type { EmbeddedReportOptions, EmbeddedReportResult } from './useEmbeddedReport.ts';
export type { ErrorSlotProps, LoadingSlotProps, ReportSlots } from './view.tsx';
