import type { EmbedKey } from '@vitrine/contract';
import type { Environment } from '../life/environment.ts';

/** Headers by name. */
export type KeyRequestHeaders = Readonly<Record<string, string>>;

/** How the host's backend is asked for keys. */
export interface KeyRequestOptions {
  /** Where the backend mounts Vitrine. Default `/api/embed`. */
  readonly endpoint?: string | undefined;
  /** Sends the request. Default: the page's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Further headers, or a function that gives them for each request: for hosts with bearer tokens. */
  readonly headers?: KeyRequestHeaders | (() => KeyRequestHeaders | Promise<KeyRequestHeaders>) | undefined;
  /** Whether cookies travel. Default `same-origin`; `include` for a backend on another origin. */
  readonly credentials?: RequestCredentials | undefined;
  /** Clock, random numbers and state of the page. Default: the browser's. For tests. */
  readonly environment?: Environment | undefined;
}

/** A key as the cache holds it. */
export interface CachedKey extends EmbedKey {
  /** When its request left, by the wall clock of whoever asked: the page, or the server that sent its HTML. */
  readonly askedAt: number;
}
