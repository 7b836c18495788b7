import type { CallFailure } from '../errors/portalError.ts';
import { gatewayHint } from './gatewayHint.ts';
import { networkHint } from './networkHint.ts';
import type { PortalConnection } from './portalConnection.ts';
import { refusalHint } from './refusalHint.ts';

/**
 * Advice for operators after a failure to create a key; undefined if no request was sent or the caller left. It names
 * the host's options: `apiBaseUrl`, `tenantIdHeader`.
 */
export const mintHint = (
  failure: CallFailure,
  connection: Pick<PortalConnection, 'apiBaseUrl' | 'tenantIdHeader'>,
): string | undefined => {
  switch (failure.kind) {
    case 'unauthorized':
    case 'forbidden':
    case 'not_found':
    case 'invalid':
    case 'conflict':
    case 'business': {
      // A page, or a sentence that is not JSON, comes from something in front of the portal.
      const body = failure.stats?.body;
      return body === 'html' || body === 'text' || (body === 'empty' && failure.kind === 'invalid')
        ? gatewayHint(failure, connection)
        : refusalHint(failure, connection);
    }
    case 'rate_limited':
    case 'server':
    case 'invalid_response':
      return gatewayHint(failure, connection);
    case 'network':
    case 'timeout':
      return networkHint(failure, connection);
    case 'aborted':
    case 'config':
    case 'paging':
    case 'read_only':
      return undefined;
  }
};
