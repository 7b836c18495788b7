/**
 * What the action stream is doing. `closed`: nobody listens. `connecting`: no answer yet. `open`: actions arrive. `polling`: a
 * proxy holds the stream back, so that actions arrive a few seconds late. `retrying`: the connection was lost. `refused`: the
 * backend does not give this viewer a stream; `EmbedProvider` and the backend's option `actions` decide that.
 */
export type ActionStreamStatus = 'closed' | 'connecting' | 'open' | 'polling' | 'retrying' | 'refused';
