import type { ReactNode } from 'react';
import type { EmbedError } from '../errors/embedError.ts';
import type { ReportState } from '../frames/reportState.ts';

/** Argument of `renderLoading`. */
export interface LoadingSlotProps {
  /** The state of the report: `idle` or `loading`. */
  readonly state: ReportState;
}

/** Argument of `renderError`. */
export interface ErrorSlotProps {
  /** The state of the report: `expired` or `failed`. */
  readonly state: ReportState;
  /** Why the report cannot be shown. */
  readonly error: EmbedError;
  /** Requests the report again. */
  readonly retry: () => void;
}

/** Replacements for the component's own loading and error views. A provider can set them for all reports below it. */
export interface ReportSlots {
  /** Replaces the skeleton while the report loads. Default: a skeleton. */
  readonly renderLoading?: ((slot: LoadingSlotProps) => ReactNode) | undefined;
  /** Replaces the message when the report cannot be shown. Default: a message with a button to try again. */
  readonly renderError?: ((slot: ErrorSlotProps) => ReactNode) | undefined;
}
