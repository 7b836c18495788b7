/** Where a host mounts Vitrine unless it says otherwise. */
export const defaultEndpoint = '/api/embed';

/** Path under the mount that mints keys: `POST {endpoint}/keys`. */
export const keysPath = '/keys';

/**
 * Path under the mount that streams actions: `GET {endpoint}/actions`, answered as `text/event-stream`.
 *
 * - `Last-Event-ID`, or the parameter `after`, is the position of the last event that the browser has seen. What came after
 *   it is sent first. Without it, the stream begins at the present.
 * - The first event is `hello`, with `{ scope, heartbeatMs }` and the position of the stream as its `id`. A heartbeat (a
 *   comment) follows at once, so that a browser that has seen neither within a few seconds knows that something
 *   between holds the stream back.
 * - Events named `action` hold a `ReportAction`. Heartbeats come every `heartbeatMs`; one with an `id` moves the position on.
 * - With the parameter {@link pollParameter} set to `1` the answer ends after the replay: `hello`, the actions after
 *   the position, a heartbeat with the position reached, end. A proxy that buffers hands on an answer that has ended. A browser
 *   that polls asks again after a pause of its own, with the position reached. Without a position,
 *   {@link waitedParameter} says for how long it has listened in vain: the actions of that time come first.
 */
export const actionsPath = '/actions';

/** Parameter of {@link actionsPath}: `?poll=1` asks for an answer that ends after the replay. */
export const pollParameter = 'poll';

/** Parameter of {@link actionsPath}: `&waited=15000` asks for the actions of the last 15,000 milliseconds. */
export const waitedParameter = 'waited';

/** Path under the mount that takes the portal's webhooks: `POST {endpoint}/webhook`. */
export const webhookPath = '/webhook';

/** Path of CreateEncryptedKey under `{api_base_url}` (docs/interface.md#4.6). */
export const createEncryptedKeyPath = '/api/services/app/ItemLinks/CreateEncryptedKey';

/** Header that names the tenant on CreateEncryptedKey (docs/interface.md#4.6). */
export const tenantIdHeader = 'Svc.TenantId';

/** Header every browser request of Vitrine carries; a cross-site form cannot set it. */
export const requestMarkerHeader = 'x-vitrine-request';
