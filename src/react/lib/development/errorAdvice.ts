import { type ProblemCode, problemCodes } from '@vitrine/contract';
import type { kindByCode } from '../errors/errorTable.ts';

/** What a developer needs to know about a code. */
export interface ErrorAdvice {
  /** What happened, in a sentence. */
  readonly title: string;
  /** What it usually comes from. */
  readonly cause: string;
  /** What to do about it. */
  readonly hint: string;
}

/** The backend's codes: what happened and what to do is in the contract's table. */
const backendCauses: Readonly<Record<ProblemCode, string>> = {
  invalid_request: 'Something changes the request on its way, or page and backend run different versions.',
  invalid_item_id: 'itemId has the wrong type or value: a route parameter is text, and a missing one is NaN.',
  signed_out:
    'The option `viewer` of the backend returned nothing, often because no session cookie came: a backend on another origin needs `credentials="include"` and a cookie with `SameSite=None; Secure`.',
  cross_site_request: "The page's origin differs from the backend's, as it does without a development proxy.",
  report_unavailable: '`canView` of the backend did not return true, or the tenant has no item with this ID.',
  route_not_found:
    'The mount path differs from `endpoint`, or the backend mounts Vitrine with `app.post` instead of `app.use`.',
  method_not_allowed: 'A proxy or a redirect turned the POST into a GET.',
  request_too_large: 'Something other than @vitrine/react calls the endpoint.',
  unsupported_media_type: 'The `headers` option or a proxy replaces the content type.',
  rate_limited:
    'A component mounts over and over, or the limit is lower than the number of reports on a page.',
  internal_error: 'One of the callbacks of the backend (`viewer`, `canView`) threw an error.',
  portal_refused:
    'The API key, the tenant ID or the passphrase of the backend is wrong, or the key lacks a permission.',
  portal_unreachable: 'DNS, a firewall, a proxy or TLS stands between the backend and the portal.',
  portal_invalid_response: '`apiBaseUrl` names another service, or a proxy answers in place of the portal.',
  overloaded: 'The portal is slow, so requests wait in the queue of the backend until it is full.',
  portal_unavailable: 'The portal restarts, is under maintenance or is overloaded.',
  portal_timeout: 'The portal is overloaded, or something on the way drops packets.',
};

const backendAdvice = Object.fromEntries(
  Object.entries(problemCodes).map(([code, { title, hint }]) => [
    code,
    { title, cause: backendCauses[code as ProblemCode], hint }, // the keys of the table are its codes
  ]),
) as Record<ProblemCode, ErrorAdvice>; // one row per code

/** Advice by code, for the console of a developer and for `docs/errors.md`. */
export const errorAdvice: Readonly<Record<keyof typeof kindByCode, ErrorAdvice>> = {
  ...backendAdvice,
  offline: {
    title: 'The browser has no network.',
    cause: 'The device is offline, or the developer tools simulate it.',
    hint: 'Nothing: the report is requested again as soon as the network is back.',
  },
  backend_unreachable: {
    title: 'Nothing answers at the endpoint, or the browser does not let the page read the answer.',
    cause:
      'The backend does not run, there is no development proxy to it, `connect-src` of the Content-Security-Policy lacks its origin, or it is on another origin without CORS.',
    hint: 'Look at the failed request in the network panel. Start the backend, and let the development server proxy the endpoint to it.',
  },
  backend_timeout: {
    title: 'The backend did not answer within ten seconds.',
    cause: 'A callback of the backend waits for something, or a proxy holds the request.',
    hint: "Look for the request in the backend's log. Check what `viewer` and `canView` wait for.",
  },
  backend_invalid_response: {
    title: 'The endpoint answered with something that is not a key.',
    cause:
      'A development server without a proxy answers every path with its own page, or `endpoint` is wrong.',
    hint: 'Open the answer in the network panel. If it is HTML, proxy the endpoint to the backend.',
  },
  headers_failed: {
    title: 'The `headers` function threw an error or rejected.',
    cause: 'It could not get a token, for example because the session has ended.',
    hint: 'Look at `error.cause`, and make the function renew the token.',
  },
  invalid_tenant_url: {
    title: 'The tenant address that the backend sent is not an http or https address.',
    cause: 'The `tenantUrl` setting of the backend is wrong.',
    hint: 'Run `vitrine doctor` where the backend runs.',
  },
  key_expired: {
    title: 'The key has expired.',
    cause: 'With `refreshPolicy="manual"` or `"off"` the page renews a key itself, and did not.',
    hint: 'Call `refresh()` in `onRefreshDue`, or use the default policy `seamless`.',
  },
  frame_slow: {
    title: 'The frame did not load in time.',
    cause: "The tenant's address does not resolve or respond where the browser is, or the report is large.",
    hint: 'Open the tenant address in a tab of this browser. If reports are large, raise `loadTimeoutMs`.',
  },
  frame_blocked: {
    title: "The page's Content-Security-Policy blocks the frame.",
    cause: '`frame-src` of the policy does not list the tenant origin.',
    hint: 'Add the tenant origin to `frame-src`.',
  },
  frame_isolated: {
    title: 'The frame did not load in a cross-origin isolated page.',
    cause:
      'The page sends Cross-Origin-Embedder-Policy (COEP), the portal does not opt in, and this browser cannot load frames without credentials.',
    hint: 'Serve the page that shows reports without COEP, or have the portal send the headers that allow it.',
  },
  refresh_aborted: {
    title: 'The report left the page before its refresh was done.',
    cause: 'The component was removed, or `refresh()` was called while nothing was mounted.',
    hint: 'Ignore it: only the promise of `refresh()` rejects with this code.',
  },
};

/** Advice for `http_<status>`: an answer without a problem document. */
export const httpStatusAdvice: ErrorAdvice = {
  title: 'Something other than the backend of Vitrine answered.',
  cause:
    'No proxy leads to the backend, the mount path differs from `endpoint`, or a firewall, a gateway or another framework answers first.',
  hint: 'Compare `endpoint` with the path where the backend mounts Vitrine (`app.use`, not `app.post`), and open the answer in the network panel.',
};
