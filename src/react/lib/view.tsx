import type { ReactNode } from 'react';
import type { EmbedError } from './errors.ts';
import { englishLabels, formatLabel, type Labels } from './labels.ts';
import type { ReportState } from './reportState.ts';

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

interface ReportSkeletonProps {
  readonly label: string;
  readonly height: number | string;
}

/** The outline of a report. It needs no styles, even in a server's HTML. */
export const ReportSkeleton = ({ label, height }: ReportSkeletonProps): ReactNode => (
  <output className="vitrine-loading">
    <svg className="vitrine-skeleton" width="100%" height={height} fill="currentColor">
      <text x="50%" y="50%" textAnchor="middle">
        {label}
      </text>
    </svg>
  </output>
);

interface ReportErrorMessageProps {
  readonly error: EmbedError;
  readonly labels: Labels;
  readonly height: number | string;
  readonly onRetry: () => void;
}

/** The message that replaces a report. */
export const ReportErrorMessage = ({
  error,
  labels,
  height,
  onRetry,
}: ReportErrorMessageProps): ReactNode => {
  // An untyped host may omit a part.
  const { title, description } = { ...englishLabels[error.kind], ...labels[error.kind] };
  return (
    <div className="vitrine-message" role="alert" style={{ minHeight: height }}>
      <strong>{title}</strong>
      <p>{formatLabel(description, error)}</p>
      {error.retry !== 'never' && (
        <button type="button" onClick={onRetry}>
          {labels.retry}
        </button>
      )}
    </div>
  );
};
