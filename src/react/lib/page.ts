import { QueryClient } from '@tanstack/react-query';
import type { ActionStream } from './actionSubscription.ts';
import type { FrameEntry } from './frames.ts';
import type { EmbedKeyOptions, EmbedKeyQuery } from './keyOptions.ts';
import { type ActiveKey, createClock, type KeySnapshot } from './keyTime.ts';
import type { ReportOptions, ReportSnapshot } from './reportState.ts';

/*
 * What all reports of a page share, also under different providers. Another copy of the library on the page has its own.
 */

/** The page's clock, by which keys age. */
export const clock = createClock();

/** Over HTTP/1.1, a browser sends six requests to a host at a time. The time of others must not run while they wait. */
const maxRequests = 6;

const requests = new Set<Promise<unknown>>();

/** Sends a request when it is its turn. */
export const inTurn = async <TResult>(send: () => Promise<TResult>): Promise<TResult> => {
  // A server sends the requests of many viewers.
  while (typeof document !== 'undefined' && requests.size >= maxRequests)
    await Promise.race(requests).catch(() => undefined);
  const request = send().finally(() => requests.delete(request));
  requests.add(request);
  return request;
};

/** A report's lease on a session. */
export interface KeyLease {
  /** The key query. The session uses that of the newest lease, whose provider is mounted. */
  readonly query: EmbedKeyQuery;
  /** The options that the query was made from. */
  readonly keys: EmbedKeyOptions;
  /** Whether the report currently needs a valid key. */
  readonly isInDemand: () => boolean;
  /** The key of a frame that the report kept while it was hidden. */
  readonly retainedKey: ActiveKey | undefined;
}

/** Manages one key for all reports on the page with the same item, endpoint and viewer. */
export interface KeySession {
  readonly getSnapshot: () => KeySnapshot;
  /** Whether a report uses the session. */
  readonly isInUse: () => boolean;
  /** Keeps the key until the returned function is called. Without leases, the session forgets its key. */
  readonly acquire: (lease: KeyLease) => () => void;
  /** The key that a report would start with, without a request. */
  readonly peek: () => ActiveKey | undefined;
  /** Requests a new key, whatever the last response was. */
  readonly refresh: () => void;
}

/** The sessions of a query client, by query key. */
export const sessions = new WeakMap<QueryClient, Map<string, KeySession>>();

/** What a report offers to its host. */
export interface ReportControls {
  /** Ref of the root element. */
  readonly root: { current: HTMLDivElement | null };
  /**
   * Shows the report with a new key, without blanking it; the state says how far it is. A key is requested at most every ten
   * seconds, and `refresh` waits for that. Without effect while the report is not on the page.
   */
  readonly refresh: () => void;
  /** Requests the report again, for a button that disappears with the error: keeps the keyboard focus. */
  readonly retry: () => void;
  /** Reloads the report with the current key, without blanking it. Calls while a frame loads are combined. */
  readonly reload: () => void;
}

/** A report of a page: what the reducer decides meets the key, the clock and the document. */
export interface PageReport {
  readonly setup: ReportSetup;
  readonly getFrames: () => readonly FrameEntry[];
  readonly getSnapshot: () => ReportSnapshot;
  /** The snapshot for server rendering and hydration: without a frame, so that the HTML of a report contains no key. */
  readonly getServerSnapshot: () => ReportSnapshot;
  /** Starts the report, or tells it new options: before the browser paints what React has committed. */
  readonly commit: (options: ReportOptions, redraw: () => void) => void;
  /**
   * Calls back when the snapshot has changed; React draws at once then, even if the browser is about to stop the page. The returned
   * function stops the report, until it is committed again.
   */
  readonly subscribe: (onChange: () => void) => () => void;
  /** Drops the frames of a report that is not on the page: the browser keeps the page for a return, perhaps of another person. */
  readonly forget: () => void;
  readonly controls: ReportControls;
}

/** Fixed properties of a report: another one replaces it when they change. */
export interface ReportSetup {
  readonly itemId: number;
  readonly keys: EmbedKeyOptions;
  readonly queryClient: QueryClient | undefined;
  readonly isEnabled: boolean;
  /** Keeps the key out of the document. */
  readonly isConcealed: boolean;
  /** Waits until the report is near the viewport. */
  readonly isLazy: boolean;
}

/** The reports on the page that have requested their keys. */
export const reports = new Set<PageReport>();

/** The action streams, by endpoint and viewer. */
export const streams = new Map<string, ActionStream>();

/** How the page handles its iframes. `@vitrine/react/testing` replaces it where browsers do not load frames. */
export const frameHost = {
  /** Navigates an empty frame to its URL. */
  navigate: ({ contentWindow }: HTMLIFrameElement, src: string): void => {
    // WebKit lists the first navigation of an empty frame in Resource Timing; this one has no key.
    contentWindow?.location.replace('about:blank#');
    contentWindow?.location.replace(src);
  },
  /** Whether a frame still has its initial empty document. `contentDocument` is null for another origin. */
  isEmpty: ({ contentDocument }: HTMLIFrameElement): boolean =>
    !!contentDocument?.URL.startsWith('about:blank'),
};

let ownClient: QueryClient | undefined;

/**
 * Returns the client that the host shares, or the library's own, created on first use. On a server, each call creates
 * one.
 */
export const getQueryClient = (shared: QueryClient | undefined): QueryClient =>
  shared ?? (typeof document === 'undefined' ? new QueryClient() : (ownClient ??= new QueryClient()));
