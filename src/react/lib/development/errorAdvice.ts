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
      'A development server without a proxy returns its own page for every path, `endpoint` is wrong, or the response lacks `itemId`, `key`, a positive `lifetimeMs` or an http or https `tenantUrl`.',
    hint: 'Open the response in the network panel. If it is HTML, proxy the endpoint to the backend. If it is a key, run `vitrine doctor` on the machine of the backend.',
  },
  key_expired: {
    title: 'The key has expired.',
    cause: 'With `refreshPolicy="manual"` or `"off"` the page must renew the key itself, and did not.',
    hint: 'Call `refresh()` in `onRefreshDue`, or use the default policy `seamless`.',
  },
  frame_slow: {
    title: 'The frame did not load in time.',
    cause:
      'The browser cannot resolve or reach the address of the tenant, the report is large, or the page sends Cross-Origin-Embedder-Policy (COEP) and the portal does not opt in.',
    hint: 'Open the address of the tenant in a tab of this browser. If reports are large, raise `loadTimeoutMs`.',
  },
  frame_blocked: {
    title: "The page's Content-Security-Policy blocks the frame.",
    cause: '`frame-src` in the policy does not list the origin of the tenant.',
    hint: 'Add the origin of the tenant to `frame-src`.',
  },
  frame_denied: {
    title: 'The browser denies this page access to the local network, where the portal is.',
    cause: 'The viewer has blocked “local network access” for this site (Chrome 142 and later).',
    hint: "Allow it in the browser's settings for this site, or serve the portal at a public address.",
  },
};

/** Advice for `backend_unreachable` when the network did not fail. */
export const requestFailedAdvice: ErrorAdvice = {
  title: 'The request failed in the page, before a response.',
  cause:
    'A header from `headers` has a name or value that HTTP does not allow, or `headers` or `fetch` of the provider threw an error or returned nothing.',
  hint: 'Fix the problem described in `error.cause`.',
};

/** Advice for `http_<status>`: a response without a problem document. */
export const httpStatusAdvice: ErrorAdvice = {
  title: 'The response does not come from Vitrine.',
  cause:
    'There is no proxy to the backend, the mount path differs from `endpoint` (a trailing slash matters), or a firewall, a gateway or another framework responds first.',
  hint: 'Compare `endpoint` with the path where the backend mounts Vitrine (`app.use`, not `app.post`), and open the response in the network panel.',
};

const gatewayAdvice: ErrorAdvice = {
  title: 'A proxy answered, and the backend behind it did not.',
  cause:
    'The backend is not running, has just been restarted, or listens at another address than the proxy expects.',
  hint: 'Start the backend, and compare its address with the target of the proxy or of the development server.',
};

/** Advice for a status whose sender is known, although its response has no problem document. */
export const statusAdvice: Readonly<Record<string, ErrorAdvice>> = {
  http_401: {
    title: 'Something before Vitrine answered 401.',
    cause: 'A check of the session comes before the key endpoint, or a gateway asks for a sign-in.',
    hint: 'See whether the request carries the session. To remove the reports at once, answer with a problem document of the code `signed_out`.',
  },
  http_429: {
    title: 'Something before Vitrine answered 429.',
    cause:
      'A rate limit of the app, a gateway or a firewall counts requests for keys, perhaps of all viewers behind one address together.',
    hint: 'Raise that limit for the key endpoint, or count by viewer. Reports request a key when they appear and before it ends.',
  },
  http_502: gatewayAdvice,
  http_503: gatewayAdvice,
  http_504: gatewayAdvice,
};

/** Advice for `signed_out` when the request ended at another address. */
export const redirectedAdvice: ErrorAdvice = {
  title: 'The request for a key was redirected to another address.',
  cause: 'A check of the session comes before the key endpoint, and redirects to a sign-in page.',
  hint: 'Sign in. Let that check answer 401 to requests below `endpoint`: a redirect is for pages.',
};
