import type { Problem } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';

/** Turns a refusal of the backend into an {@link EmbedError}; any body will do. */
export const readProblem = ({ status, headers }: Response, problem: Partial<Problem>): EmbedError => {
  const { code, detail, requestId } = problem;
  const retryAfterMs = Number(problem.retryAfterMs) || readRetryAfter(headers.get('retry-after'));
  return new EmbedError(code ?? `http_${status}`, { status, requestId, retryAfterMs }, detail);
};

/** Milliseconds that `Retry-After` asks for: seconds or a date (RFC 9110, 10.2.3); 0 for anything else. */
const readRetryAfter = (header: string | null): number =>
  Math.max(0, Number(header) * 1000 || Date.parse(header ?? '') - Date.now() || 0);
