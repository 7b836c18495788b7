import type { CallFailure } from '../errors/portalError.ts';
import { gatewayHint } from './gatewayHint.ts';
import { networkHint } from './networkHint.ts';
import type { PortalConnection } from './portalConnection.ts';
import { refusalHint } from './refusalHint.ts';

/**
 * Says what an operator should look at when a key could not be created; undefined when nothing was sent, or the caller
 * left. Its words name the options of the host: `apiBaseUrl`, `tenantIdHeader`.
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
