import { PortalError, type PortalErrorDetails } from '../errors/portalError.ts';
import { ExchangeStopped } from './exchange.ts';

const codeOf = (error: unknown): string | undefined => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : undefined;
};

/**
 * Turns whatever ended an exchange into a {@link PortalError}. Nothing of the original is kept but its code:
 * messages of HTTP clients may quote headers and bodies, and ours carry secrets.
 */
export const describeFailure = (error: unknown, request: PortalErrorDetails['request']): PortalError => {
  if (error instanceof PortalError) return error;
  if (error instanceof ExchangeStopped)
    switch (error.reason) {
      case 'timeout':
        return new PortalError('The portal did not answer in time.', {
          kind: 'timeout',
          attempts: 1,
          request,
        });
      case 'aborted':
        return new PortalError('The call was aborted by its caller.', {
          kind: 'aborted',
          attempts: 1,
          request,
        });
      case 'too_large':
        return new PortalError('The portal answered with a body that is too large.', {
          kind: 'invalid_response',
          attempts: 1,
          request,
        });
    }
  const code = codeOf(error) ?? 'UNKNOWN';
  // The parser gives up on an answer that is no HTTP, or whose headers are too large: the connection itself was fine.
  const isJunk = code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW';
  return new PortalError(
    isJunk
      ? `The portal answered with something that is not HTTP (${code}).`
      : `The connection to the portal failed (${code}).`,
    { kind: isJunk ? 'invalid_response' : 'network', code, attempts: 1, request },
  );
};
