import type { ReactNode } from 'react';
import type { EmbedError } from '../errors/embedError.ts';
import { formatLabel } from '../labels/formatLabel.ts';
import { englishLabels, type Labels } from '../labels/labels.ts';

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
