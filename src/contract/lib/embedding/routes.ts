/** Default path where a host mounts Vitrine. */
export const defaultEndpoint = '/api/embed';

/** Path under the mount that issues keys: `POST {endpoint}/keys`. */
export const keysPath = '/keys';

/**
 * Path under the mount that streams actions: `GET {endpoint}/actions`, answered as `text/event-stream`.
 *
 * - `Last-Event-ID`, or the parameter `after`, is the position of the last event that the browser has seen. Later
 *   events are sent first. Without it, the stream starts with new events.
 * - The first event is `hello`, with `{ scope, heartbeatMs }` and the position of the stream as its `id`. A heartbeat
 *   (a comment) follows at once, so a browser that receives neither within a few seconds knows that a proxy is
 *   buffering the stream.
 * - Events named `action` hold a `ReportAction`. Heartbeats come every `heartbeatMs`; one with an `id` advances the
 *   position.
 * - With the parameter {@link pollParameter} set to `1`, the response ends after the replay: `hello`, the actions after
 *   the position, a heartbeat with the new position. A buffering proxy forwards a response once it has ended. A browser
 *   that polls pauses, then requests again with the new position. Without a position, {@link waitedParameter} is how
 *   long it has listened without success: the actions of that time come first.
 */
export const actionsPath = '/actions';

/** Parameter of {@link actionsPath}: `?poll=1` requests a response that ends after the replay. */
export const pollParameter = 'poll';

/** Parameter of {@link actionsPath}: `&waited=15000` requests the actions of the last 15,000 milliseconds. */
export const waitedParameter = 'waited';

/** Path under the mount that receives the portal's webhooks: `POST {endpoint}/webhook`. */
export const webhookPath = '/webhook';

/** Header on every browser request of Vitrine; a cross-site form cannot set it. */
export const requestMarkerHeader = 'x-vitrine-request';
