import { type ProblemCode, problemCodes } from '@vitrine/contract';
import type { BrowserErrorCode } from '../errors.ts';

/** Advice for developers about a code. */
export interface ErrorAdvice {
  /** What happened, in a sentence. */
  readonly title: string;
  /** The usual cause. */
  readonly cause: string;
  /** What to do about it. */
  readonly hint: string;
}

/** Advice by code, for the console of a developer and for `docs/errors.md`. */
export const errorAdvice: Readonly<Record<ProblemCode | BrowserErrorCode, ErrorAdvice>> = {
  // The contract's table has the advice for the backend's codes.
  ...problemCodes,
  offline: {
    title: 'The browser has no network.',
    cause: 'The device is offline, or the developer tools simulate it.',
    hint: 'Nothing: the page requests the report again as soon as the network is back.',
  },
  backend_unreachable: {
    title: 'Nothing responds at the endpoint, or the browser does not let the page read the response.',
    cause:
      'The backend is not running, there is no development proxy, `connect-src` in the Content-Security-Policy lacks its origin, or it is on another origin without CORS.',
    hint: 'Look at the failed request in the network panel. Start the backend, and proxy the endpoint to it in the development server. If the panel shows no request, `error.cause` says what is wrong with `headers` or `fetch`.',
  },
  backend_timeout: {
    title: 'The backend did not respond within ten seconds.',
    cause:
      'A callback of the backend or the `headers` function of the page is waiting for something, or a proxy holds the request back.',
    hint: "Look for the request in the backend's log. If it is there, check what `viewer` and `canView` are waiting for.",
  },
  backend_invalid_response: {
    title: 'The response of the endpoint is not a key.',
    cause:
      'A development server without a proxy returns its own page for every path, `endpoint` is wrong, or the response lacks `itemId`, `key` or a positive `lifetimeMs`.',
    hint: 'Open the response in the network panel. If it is HTML, proxy the endpoint to the backend.',
  },
  headers_failed: {
    title: 'The `headers` function threw an error or rejected.',
    cause: 'It could not get a token, for example because the session has ended.',
    hint: 'Make the function renew the token. Its error is in `error.cause`.',
  },
  invalid_tenant_url: {
    title: 'The tenant URL from the backend is not an http or https URL.',
    cause: 'The `tenantUrl` setting of the backend is wrong.',
    hint: 'Run `vitrine doctor` on the machine of the backend.',
  },
  key_expired: {
    title: 'The key has expired.',
    cause: 'With `refreshPolicy="manual"` or `"off"` the page must renew the key itself, and did not.',
    hint: 'Call `refresh()` in `onRefreshDue`, or use the default policy `seamless`.',
  },
  frame_slow: {
    title: 'The frame did not load in time.',
    cause: 'The browser cannot resolve or reach the address of the tenant, or the report is large.',
    hint: 'Open the address of the tenant in a tab of this browser. If reports are large, raise `loadTimeoutMs`.',
  },
  frame_blocked: {
    title: "The page's Content-Security-Policy blocks the frame.",
    cause: '`frame-src` in the policy does not list the origin of the tenant.',
    hint: 'Add the origin of the tenant to `frame-src`.',
  },
  frame_isolated: {
    title: 'The frame did not load in a cross-origin isolated page.',
    cause:
      'The page sends Cross-Origin-Embedder-Policy (COEP), the portal does not opt in, and this browser cannot load frames without credentials.',
    hint: 'Serve the page without COEP, or have the portal send the headers that allow it.',
  },
  frame_denied: {
    title: 'The browser denies this page access to the local network, where the portal is.',
    cause: 'The viewer has blocked “local network access” for this site (Chrome 142 and later).',
    hint: "Allow it in the browser's settings for this site, or serve the portal at a public address.",
  },
  refresh_aborted: {
    title: 'The report was removed from the page before its refresh ended.',
    cause: 'The component was removed, or `refresh()` was called while nothing was mounted.',
    hint: 'Ignore it: only the promise of `refresh()` rejects with this code.',
  },
};

/** Advice for `backend_unreachable` when the network did not fail. */
export const requestFailedAdvice: ErrorAdvice = {
  title: 'The request failed in the page, before a response.',
  cause:
    'A header from `headers` has a name or value that HTTP does not allow, or the `fetch` of the provider threw an error or returned nothing.',
  hint: 'Fix the problem described in `error.cause`.',
};

/** Advice for `http_<status>`: a response without a problem document. */
export const httpStatusAdvice: ErrorAdvice = {
  title: 'The response does not come from Vitrine.',
  cause:
    'There is no proxy to the backend, the mount path differs from `endpoint` (a trailing slash matters), or a firewall, a gateway or another framework responds first.',
  hint: 'Compare `endpoint` with the path where the backend mounts Vitrine (`app.use`, not `app.post`), and open the response in the network panel.',
};
