import type { Problem } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';

/** Turns a refusal of the backend into an {@link EmbedError}; any body will do. */
export const readProblem = async (response: Response): Promise<EmbedError> => {
  const { status, headers } = response;
  // What is no problem document is read as an empty one.
  const { code, detail, retryAfterMs, requestId } = Object(
    await response.json().catch(() => undefined),
  ) as Partial<Problem>;
  return new EmbedError(code ?? `http_${status}`, detail ?? `The endpoint answered ${status}.`, {
    status,
    requestId,
    retryAfterMs: Number(retryAfterMs) || retryAfter(headers.get('retry-after') ?? ''),
  });
};

/** Milliseconds that `Retry-After` asks for: seconds or a date (RFC 9110, 10.2.3); 0 for anything else. */
const retryAfter = (header: string): number =>
  Math.max(0, Number(header) * 1000 || Date.parse(header) - Date.now() || 0);
