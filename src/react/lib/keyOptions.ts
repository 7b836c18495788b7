import type { DataTag, QueryKey, UnusedSkipTokenOptions } from '@tanstack/react-query';
import type { CachedKey } from './keyTime.ts';

/** Headers by name. */
export type KeyRequestHeaders = Readonly<Record<string, string>>;

/** Options of {@link embedKeyOptions}: how to request keys from the host's backend. */
export interface EmbedKeyOptions {
  /** Path where the backend mounts Vitrine. Default `/api/embed`. */
  readonly endpoint?: string | undefined;
  /** Sends the request. Default: the page's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /**
   * Returns additional headers for a request: for hosts with bearer tokens, which change. What it returns tells no viewers
   * apart; `viewerKey` does. Default: none.
   */
  readonly headers?: (() => KeyRequestHeaders | Promise<KeyRequestHeaders>) | undefined;
  /** Whether to send cookies: use `include` for a backend on another origin. Default `same-origin`. */
  readonly credentials?: RequestCredentials | undefined;
  /**
   * A text for everything that decides what a report shows: who is signed in, and for example the role or the tenant that
   * they have chosen. Reports with another text never share a key. `null`: nobody is signed in, and nothing is requested.
   * Default: none.
   */
  readonly viewerKey?: string | null | undefined;
}

/**
 * The return type of React Query's `queryOptions`. Written out, because an inferred type would refer to a package that
 * the host may not have.
 */
export type EmbedKeyQuery = UnusedSkipTokenOptions<CachedKey, Error, CachedKey> & {
  queryKey: DataTag<QueryKey, CachedKey>;
};
