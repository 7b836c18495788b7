/**
 * The status of the action stream. `closed`: no listeners. `connecting`: no response yet. `open`: actions arrive.
 * `polling`: a proxy buffers the stream, so actions arrive a few seconds late. `retrying`: the connection was lost.
 * `refused`: the backend refuses the stream, or something else responds in its place; check `EmbedProvider`, the proxy and
 * the backend's option `actions`.
 */
export type ActionStreamStatus = 'closed' | 'connecting' | 'open' | 'polling' | 'retrying' | 'refused';
