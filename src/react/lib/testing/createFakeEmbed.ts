import {
  actionsPath,
  type EmbedItem,
  type EmbedKey,
  isProblemCode,
  itemsPath,
  type ProblemCode,
  problemCodes,
  type ReportAction,
} from '@vitrine/contract';
import type { EmbedProviderProps } from '../EmbedProvider.tsx';
import { clock } from '../page.ts';
import { createFakeActions } from './fakeActions.ts';
import { createFakePages } from './fakePages.ts';
import { fakeResponse } from './fakeResponse.ts';

/** The response of the fake backend. */
export type FakeResponse =
  /** A key. */
  | 'key'
  /** No response: the request stays open. */
  | 'hang'
  /** No network. */
  | 'offline'
  /** No backend at that address. */
  | 'unreachable'
  /** A problem document with this code. */
  | ProblemCode
  | { readonly code: ProblemCode; readonly retryAfterMs?: number };

/** Options of {@link createFakeEmbed}. */
export interface FakeEmbedOptions {
  /** Lifetime of keys in milliseconds. Default one hour. */
  readonly lifetimeMs?: number;
  /** The items of `@vitrine/react/picker`. Default: none. */
  readonly items?: readonly EmbedItem[];
  /**
   * HTML in place of a report, so that frames load in a real browser without a network. Default: frames load by
   * {@link FakeEmbed.load}.
   */
  readonly page?: (itemId: number) => string;
}

/** A backend, a portal and a clock for tests of pages that embed reports. */
export interface FakeEmbed {
  /** Spread on `<EmbedProvider>`. */
  readonly provider: Pick<EmbedProviderProps, 'endpoint' | 'fetch'>;
  /** Item IDs that keys were requested for, in order. */
  readonly requests: readonly number[];
  /** Changes the backend's response: for one item, or for all others. Default: keys for all. */
  readonly answer: (answer: FakeResponse, itemId?: number) => void;
  /** The frames of reports in the document. */
  readonly frames: () => HTMLIFrameElement[];
  /** Simulates that every frame has loaded. */
  readonly load: () => void;
  /** Moves the clock of all reports forward. A key is renewed at a random 70 to 90% of its lifetime. */
  readonly advance: (ms: number) => void;
  /** Changes what the browser says about its network: `navigator.onLine`, and the event `online` or `offline`. */
  readonly setOnline: (isOnline: boolean) => void;
  /** Moves the clock past the expiry of every key. */
  readonly expire: () => void;
  /** Simulates a Content-Security-Policy that blocks the frames. */
  readonly block: () => void;
  /** Sends a viewer's click to every listener, or keeps it for the first listener. */
  readonly act: (action: Partial<ReportAction> & Pick<ReportAction, 'itemId'>) => void;
  /** Releases the resources of {@link FakeEmbedOptions.page}. */
  readonly close: () => void;
}

const tenantUrl = 'https://portal.fake.example';
const hourMs = 3_600_000;

/** Counts time that has not passed, as if the machine had been suspended: its clock is ahead, and the browser resumes the page. */
const skipTime = (ms: number): void => {
  const { now } = Date;
  Date.now = () => now() + ms;
  clock.now();
  Date.now = now;
  dispatchEvent(new Event('resume'));
};

const setOnline = (isOnline: boolean) => {
  if (isOnline) Reflect.deleteProperty(navigator, 'onLine');
  else Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
};

/** Adds what the library needs and Jest's jsdom lacks. */
const completeBrowser = () => {
  // The fake stream is already text.
  globalThis.TextDecoderStream ??= Object as never;
  // Without a layout, every element is near the viewport.
  globalThis.IntersectionObserver ??= function (callback: (entries: readonly object[]) => void) {
    return {
      observe: () => queueMicrotask(() => callback([{ isIntersecting: true }])),
      disconnect: () => undefined,
    };
  } as never; // The library uses nothing else of it.
};

const answerProblem = (code: ProblemCode, retryAfterMs?: number): Response => {
  const { status, title } = problemCodes[code];
  return fakeResponse(status, { type: 'about:blank', title, status, detail: title, code, retryAfterMs });
};

const frames = () => [...document.querySelectorAll<HTMLIFrameElement>('iframe[name^="vitrine"]')];

/**
 * Creates a {@link FakeEmbed}. Each has its own endpoint, so that tests do not share keys.
 *
 * @example
 * ```tsx
 * import { act, render, screen } from '@testing-library/react';
 * import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
 * import { createFakeEmbed } from '@vitrine/react/testing';
 *
 * const embed = createFakeEmbed();
 * render(
 *   <EmbedProvider {...embed.provider}>
 *     <EmbeddedReport itemId={1042} title="Sales" />
 *   </EmbedProvider>,
 * );
 * await screen.findByTitle('Sales');
 * act(() => embed.load());
 * ```
 */
export const createFakeEmbed = (options: FakeEmbedOptions = {}): FakeEmbed => {
  const { lifetimeMs = hourMs, items = [], page } = options;
  const pages = createFakePages(frames, page);
  const actions = createFakeActions();
  completeBrowser();
  const requests: number[] = [];
  const answers = new Map<number | undefined, FakeResponse>();
  let actionCount = 0;
  const endpoint = `/fake-embed-${Math.random()}`;

  const answerKey = (itemId: number): Response => {
    const expiresAt = new Date(Date.now() + lifetimeMs).toISOString();
    const key: EmbedKey = { itemId, key: `fake-key-${requests.length}`, tenantUrl, lifetimeMs, expiresAt };
    return fakeResponse(200, key);
  };
  const fakeFetch: typeof fetch = (input, init) => {
    const url = typeof input === 'object' && 'url' in input ? input.url : String(input);
    if (url.includes(actionsPath)) return Promise.resolve(fakeResponse(200, actions.open(init?.signal)));
    const isList = url.endsWith(itemsPath);
    const { itemId } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as { itemId: number };
    if (!isList) requests.push(itemId);
    const answer = answers.get(itemId) ?? answers.get(undefined) ?? 'key';
    if (answer === 'hang') return new Promise(() => {});
    if (answer === 'offline' || answer === 'unreachable')
      return Promise.reject(new TypeError('Failed to fetch'));
    if (typeof answer === 'object') return Promise.resolve(answerProblem(answer.code, answer.retryAfterMs));
    if (isProblemCode(answer)) return Promise.resolve(answerProblem(answer));
    return Promise.resolve(isList ? fakeResponse(200, items) : answerKey(itemId));
  };

  return {
    provider: { endpoint, fetch: fakeFetch },
    requests,
    answer: (answer, itemId) => {
      answers.set(itemId, answer);
      setOnline(![...answers.values()].includes('offline'));
    },
    frames,
    load: pages.load,
    advance: skipTime,
    setOnline,
    expire: () => skipTime(lifetimeMs),
    block: () =>
      void dispatchEvent(
        Object.assign(new Event('securitypolicyviolation'), {
          effectiveDirective: 'frame-src',
          disposition: 'enforce',
          blockedURI: tenantUrl,
        }),
      ),
    act: (action) =>
      actions.send({
        id: `${++actionCount}`,
        reportId: '00000000-0000-4000-8000-000000000000',
        reportName: 'Fake report',
        visual: 'visual',
        triggeredAt: new Date().toISOString(),
        isCleared: false,
        rows: [],
        ...action,
      }),
    close: pages.close,
  };
};
