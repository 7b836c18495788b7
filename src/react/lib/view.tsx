'use client';
import { type MouseEventHandler, type ReactNode, useState } from 'react';
import type { EmbedError } from './errors.ts';
import { keepFocus } from './frameControl.ts';
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
  /** Replaces the message when the report cannot be shown. Default: a message, with a button to try again where that can help. */
  readonly renderError?: ((slot: ErrorSlotProps) => ReactNode) | undefined;
  /**
   * Signs the viewer in again: the message “You’re signed out” offers it as a button. If it returns a promise, the report is requested
   * again when that resolves, and with that of a provider everything below that has failed; otherwise call `retryAll()` of `useEmbed()`, or change `viewerKey`. Default: no button.
   */
  readonly onSignIn?: (() => Promise<unknown> | void) | undefined;
}

interface ReportSkeletonProps {
  readonly label: string;
  readonly height: number | string;
}

/**
 * The outline of a report. It needs no styles, even in a server's HTML: the attributes reserve the space, and a strict
 * policy allows them.
 */
export const ReportSkeleton = ({ label, height }: ReportSkeletonProps): ReactNode => (
  <output className="vitrine-loading">
    <svg width="100%" height={height}>
      <foreignObject width="100%" height="100%">
        <div className="vitrine-skeleton">
          <div>
            <p>{label}</p>
            {/* Three figures and two charts; the styles hide those for which there is no room. */}
            <i />
            <i />
            <i />
            <i />
            <i />
          </div>
        </div>
      </foreignObject>
    </svg>
  </output>
);

const exclamation = 'M12 7v6M12 17v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18';

/** Whether a second try can help: not a viewer who is signed out, or may not see the report. */
const isRetryOffered = ({ kind, retry }: EmbedError): boolean =>
  retry !== 'never' && kind !== 'signed_out' && kind !== 'report_unavailable';

/** The text about an error. An untyped host may omit a part. */
const labelOf = ({ kind }: EmbedError, labels: Labels) => ({ ...englishLabels[kind], ...labels[kind] });

interface ReportErrorMessageProps {
  readonly error: EmbedError;
  readonly labels: Labels;
  readonly height: number | string;
  readonly onRetry: () => void;
  readonly onSignIn: ReportSlots['onSignIn'];
}

/** The message that replaces a report. */
export const ReportErrorMessage = ({
  error,
  labels,
  height,
  onRetry,
  onSignIn,
}: ReportErrorMessageProps): ReactNode => {
  const { title, description } = labelOf(error, labels);
  return (
    <div className="vitrine-message" role="alert" style={{ minHeight: height }}>
      <svg className="vitrine-icon" width={24} height={24} viewBox="0 0 24 24" fill="none" aria-hidden>
        <path d={exclamation} />
      </svg>
      <strong>{title}</strong>
      <p>{formatLabel(description, error)}</p>
      {isRetryOffered(error) && (
        <button type="button" onClick={onRetry}>
          {labels.retry}
        </button>
      )}
      {error.kind === 'signed_out' && onSignIn && (
        <button type="button" onClick={() => void onSignIn()?.then(onRetry)}>
          {labels.signIn}
        </button>
      )}
    </div>
  );
};

interface ReportBarProps {
  readonly state: ReportState;
  readonly labels: Labels;
  readonly isFullscreen: boolean;
  /** Whether to show the button for the full screen. */
  readonly hasButton: boolean;
  readonly onFullscreen: () => void;
}

/** The bar above a report: why it is not refreshed and since when, and the button for the full screen. It covers no data. */
export const ReportBar = (props: ReportBarProps): ReactNode => {
  const { state, labels, isFullscreen, hasButton, onFullscreen } = props;
  const [dismissed, dismiss] = useState('');
  // Another error, or one after the report has loaded again, is another note.
  const note = state.status === 'degraded' ? `${state.error.code} ${state.since.getTime()}` : '';
  const noted = state.status === 'degraded' && note !== dismissed ? state : undefined;
  if (!noted && !hasButton) return null;
  const onDismiss: MouseEventHandler = ({ currentTarget }) => {
    keepFocus(currentTarget.closest<HTMLElement>('.vitrine-report'));
    dismiss(note);
  };
  return (
    <div className="vitrine-bar">
      {noted && (
        <output className="vitrine-note">
          <strong>{labelOf(noted.error, labels).title}</strong>
          <span>
            {labels.degraded.replace(
              '{time}',
              noted.since.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }),
            )}
          </span>
        </output>
      )}
      {noted && (
        <button type="button" onClick={onDismiss}>
          {labels.dismiss}
        </button>
      )}
      {hasButton && (
        <button type="button" onClick={onFullscreen}>
          {isFullscreen ? labels.exitFullscreen : labels.fullscreen}
        </button>
      )}
    </div>
  );
};
