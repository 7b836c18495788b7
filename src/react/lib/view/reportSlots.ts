import type { ReactNode } from 'react';
import type { EmbedError } from '../errors/embedError.ts';
import type { ReportState } from '../frames/reportState.ts';

/** What `renderLoading` is called with. */
export interface LoadingSlotProps {
  /** What the report is doing: `idle` or `loading`. */
  readonly state: ReportState;
}

/** What `renderError` is called with. */
export interface ErrorSlotProps {
  /** What the report is doing: `expired` or `failed`. */
  readonly state: ReportState;
  /** Why the report cannot be shown. */
  readonly error: EmbedError;
  /** Asks for the report again. */
  readonly retry: () => void;
}

/** What is shown in place of the report. A provider can set it for all reports below it. */
export interface ReportSlots {
  /** Replaces the skeleton while the report loads. Default: a skeleton. */
  readonly renderLoading?: ((slot: LoadingSlotProps) => ReactNode) | undefined;
  /** Replaces the message when the report cannot be shown. Default: a message with a button to try again. */
  readonly renderError?: ((slot: ErrorSlotProps) => ReactNode) | undefined;
}
