import type { ReactNode } from 'react';
import type { EmbedError } from '../errors/embedError.ts';
import type { Labels } from '../labels/labels.ts';
import { urgentPauseMs } from '../life/retryDelay.ts';

interface MessageProps {
  readonly error: EmbedError;
  readonly labels: Labels;
  /** Room to hold, so that nothing on the page moves. */
  readonly height: number | string;
  readonly onRetry: () => void;
}

/** What went wrong, what to do, and a button where it helps. */
export const Message = ({ error, labels, height, onRetry }: MessageProps): ReactNode => {
  const { kind, retryAfterMs = 0, origin = '' } = error;
  const [title, advice] = labels[kind];
  const seconds = Math.ceil(Math.max(urgentPauseMs, retryAfterMs) / 1000);
  return (
    <div className="vitrine-message" role="alert" style={{ minHeight: height }}>
      <strong>{title}</strong>
      <p>{advice.replace('{seconds}', `${seconds}`).replace('{origin}', origin)}</p>
      {kind !== 'misconfigured' && (
        <button type="button" onClick={onRetry}>
          {labels.retry}
        </button>
      )}
    </div>
  );
};
