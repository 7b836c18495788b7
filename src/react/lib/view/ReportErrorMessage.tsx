import type { ReactNode } from 'react';
import type { EmbedError } from '../errors/embedError.ts';
import { formatLabel } from '../labels/formatLabel.ts';
import type { Labels } from '../labels/labels.ts';

interface ReportErrorMessageProps {
  readonly error: EmbedError;
  readonly labels: Labels;
  readonly height: number | string;
  readonly onRetry: () => void;
}

/** What a viewer reads in place of a report. */
export const ReportErrorMessage = ({
  error,
  labels,
  height,
  onRetry,
}: ReportErrorMessageProps): ReactNode => {
  const { title, description } = labels[error.kind];
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
