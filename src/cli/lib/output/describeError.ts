import { isPortalError } from '@vitrine/portal-client';
import { plainText } from './plainText.ts';
import { portalErrorText } from './portalErrorText.ts';

/** Formats an error for display: the message, the rejected fields, the request ID. */
export const describeError = (error: unknown): string =>
  isPortalError(error)
    ? portalErrorText(error)
    : plainText(error instanceof Error ? error.message : 'The command failed.', { keepLines: true });
