import { parseAccept } from 'hono/utils/accept';

/**
 * Whether to send a body as gzip (RFC 9110, 12.5.3): if it is accepted, by name or by `*`, with at least the weight of
 * identity. If neither is accepted, identity is sent.
 */
export const acceptsGzip = (header = ''): boolean => {
  const weights = new Map(parseAccept(header.toLowerCase()).map(({ type, q }) => [type, q]));
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  // Unlisted, identity is acceptable, but a client that lists gzip prefers it.
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
};
