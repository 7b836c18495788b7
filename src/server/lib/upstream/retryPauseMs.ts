import type { PortalError, PortalErrorKind } from '@vitrine/portal-client';

/** A portal under load may request a longer pause than one that restarts. */
const maxPauseMs: Readonly<Partial<Record<PortalErrorKind, number>>> = {
  rate_limited: 60_000,
  server: 15_000,
};

/** Milliseconds that callers wait after the `Retry-After` of an error: as announced, up to the maximum of its kind. */
export const retryPauseMs = ({ kind, retryAfterMs }: PortalError): number | undefined => {
  const longestMs = maxPauseMs[kind];
  return longestMs === undefined || retryAfterMs === undefined
    ? undefined
    : Math.min(retryAfterMs, longestMs);
};
