import type { EmbedKey } from '@vitrine/contract';
import type { Environment } from '../session/environment.ts';

/** Headers by name. */
export type KeyRequestHeaders = Readonly<Record<string, string>>;

/** Options of key requests to the host's backend. */
export interface KeyRequestOptions {
  /** Path where the backend mounts Vitrine. Default `/api/embed`. */
  readonly endpoint?: string | undefined;
  /** Sends the request. Default: the page's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Additional headers, or a function called for each request that returns them: for hosts with bearer tokens. Default: none. */
  readonly headers?: KeyRequestHeaders | (() => KeyRequestHeaders | Promise<KeyRequestHeaders>) | undefined;
  /** Whether to send cookies: use `include` for a backend on another origin. Default `same-origin`. */
  readonly credentials?: RequestCredentials | undefined;
  /** Clock, random numbers and state of the page, for tests. Default: the browser's. */
  readonly environment?: Environment | undefined;
}

/** A key in the cache. */
export interface CachedKey extends EmbedKey {
  /** When its request was sent, by the wall clock of the sender: the page, or the server that rendered its HTML. */
  readonly requestedAt: number;
}
