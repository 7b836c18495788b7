import {
  actionsPath,
  type EmbedKey,
  isProblemCode,
  type ProblemCode,
  problemCodes,
  problemMediaType,
  type ReportAction,
} from '@vitrine/contract';
import type { EmbedProviderProps } from '../provider/EmbedProvider.tsx';
import { createFakeActions } from './fakeActions.ts';
import { createFakeEnvironment } from './fakeEnvironment.ts';

/** What the fake backend answers from now on. */
export type FakeAnswer =
  /** A key. */
  | 'key'
  /** Nothing: the request stays open. */
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
  /** Milliseconds that keys live. Default one hour. */
  readonly lifetimeMs?: number;
  /** HTML that stands for a report, so that frames load without a network in a real browser. Default: frames load by {@link FakeEmbed.load}. */
  readonly page?: (itemId: number) => string;
}

/** A backend, a portal and a clock for tests of pages that embed reports. */
export interface FakeEmbed {
  /** Spread on `<EmbedProvider>`. */
  readonly provider: Pick<EmbedProviderProps, 'endpoint' | 'environment' | 'fetch'>;
  /** Item IDs that keys were asked for, in order. */
  readonly requests: readonly number[];
  /** Changes what the backend answers. It answers with keys until told otherwise. */
  readonly answer: (answer: FakeAnswer) => void;
  /** The frames of reports in the document. */
  readonly frames: () => HTMLIFrameElement[];
  /** Says of every frame that its report has loaded. */
  readonly load: () => void;
  /** Moves the clock on. */
  readonly advance: (ms: number) => void;
  /** Moves the clock past the end of every key. */
  readonly expire: () => void;
  /** Says that the page's Content-Security-Policy has blocked the frames. */
  readonly block: () => void;
  /** Sends a viewer's click to every listener. */
  readonly act: (action: Partial<ReportAction> & Pick<ReportAction, 'itemId'>) => void;
  /** Ends the watch over frames that {@link FakeEmbedOptions.page} needs. */
  readonly close: () => void;
}

const tenantUrl = 'https://portal.fake.example';
const hourMs = 3_600_000;
let count = 0;

const answerProblem = (code: ProblemCode, retryAfterMs?: number): Response => {
  const { status, title } = problemCodes[code];
  const problem = { type: 'about:blank', title, status, detail: title, code, retryAfterMs };
  return Response.json(problem, { status, headers: { 'content-type': problemMediaType } });
};

const frames = () => [...document.querySelectorAll<HTMLIFrameElement>(`iframe[src^="${tenantUrl}"]`)];

/** Creates a {@link FakeEmbed}. Each has an endpoint of its own, so that tests do not meet each other's keys. */
export const createFakeEmbed = (options: FakeEmbedOptions = {}): FakeEmbed => {
  const { lifetimeMs = hourMs, page } = options;
  const environment = createFakeEnvironment();
  const actions = createFakeActions();
  const requests: number[] = [];
  let current: FakeAnswer = 'key';
  let actionCount = 0;
  count += 1;

  const answerKey = (itemId: number): Response => {
    const expiresAt = new Date(environment.Date.now() + lifetimeMs).toISOString();
    const key: EmbedKey = { itemId, key: `fake-key-${requests.length}`, tenantUrl, lifetimeMs, expiresAt };
    return Response.json(key);
  };
  const fetchFake: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.endsWith(actionsPath)) return Promise.resolve(actions.open(init?.signal));
    const { itemId } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as { itemId: number };
    requests.push(itemId);
    if (current === 'hang') return new Promise(() => {});
    if (current === 'offline' || current === 'unreachable')
      return Promise.reject(new TypeError('Failed to fetch'));
    if (typeof current === 'object')
      return Promise.resolve(answerProblem(current.code, current.retryAfterMs));
    return Promise.resolve(isProblemCode(current) ? answerProblem(current) : answerKey(itemId));
  };

  const fill = (frame: HTMLIFrameElement) => {
    if (page) frame.srcdoc = page(Number(/report\/(\d+)/.exec(frame.src)?.[1]));
  };
  const fillNew = () => {
    for (const frame of frames()) if (!frame.srcdoc) fill(frame);
  };
  // Now and then the browser is done with the address of a new frame, where nobody answers, after its page was set: what
  // has loaded is the browser's own error page, into which nobody can look. The component is not told of that one.
  const fillAgain = (event: Event) => {
    const frame = frames().find((one) => one === event.target);
    if (!event.isTrusted || frame === undefined || frame.contentDocument !== null) return;
    event.stopImmediatePropagation();
    fill(frame);
  };
  const observer = page && new MutationObserver(fillNew);
  observer?.observe(document, { childList: true, subtree: true });
  if (page) document.addEventListener('load', fillAgain, true);

  return {
    provider: { endpoint: `/fake-embed-${count}`, environment, fetch: fetchFake },
    requests,
    answer: (answer) => {
      current = answer;
      environment.setOnline(answer !== 'offline');
    },
    frames,
    load: () => {
      for (const frame of frames()) frame.dispatchEvent(new Event('load'));
    },
    advance: environment.advance,
    expire: () => environment.advance(lifetimeMs),
    block: () =>
      environment.emit('securitypolicyviolation', {
        effectiveDirective: 'frame-src',
        disposition: 'enforce',
        blockedURI: tenantUrl,
      }),
    act: (action) =>
      actions.send({
        id: `${++actionCount}`,
        reportId: '00000000-0000-4000-8000-000000000000',
        reportName: 'Fake report',
        visual: 'visual',
        triggeredAt: new Date(environment.Date.now()).toISOString(),
        isClear: false,
        rows: [],
        ...action,
      }),
    close: () => {
      observer?.disconnect();
      if (page) document.removeEventListener('load', fillAgain, true);
    },
  };
};
