import type { ReportAction } from '@vitrine/react';

/** A time in which the page did not run. */
export interface Wake {
  /** Whether the visible key expired in the meantime. */
  readonly hadEnded: boolean;
  /** Milliseconds from the first activity to the moment when no expired key was visible; undefined while one is. */
  staleMs: number | undefined;
}

/** Real time: a test changes the clock of the page. */
const realNow = Date.now.bind(Date);
const lookEveryMs = 10;
/** Only a stop of the whole browser lasts that long. */
const shortestSleepMs = 1_000;

const recordPage = () => {
  const record = {
    /** Every key that the backend issued, oldest first. */
    keys: [] as string[],
    /** Every value of `data-state`, in order. */
    states: [] as string[],
    /** Calls of the report's callbacks, in order, and `swapped` for each frame that replaces the visible one. */
    calls: [] as string[],
    actions: [] as ReportAction[],
    /** Action streams that the backend opened. */
    streams: 0,
    /** Moments without a visible, loaded report, after the first with one. */
    blankMoments: 0,
    /** Moments with a visible report whose key had expired. */
    endedMoments: 0,
    /** Everything that a session replay, a performance monitor or a patched console would record. */
    recorded: { document: [] as string[], timing: [] as string[], console: [] as string[] },
    wakes: [] as Wake[],
    /** Whether and when this page returned from the back/forward cache, and whether it showed no report at that moment. */
    isRestored: false,
    restoredAt: 0,
    isRestoredCovered: false,
  };
  /** When each key was requested, and its lifetime, by the clock of the page. */
  const births = new Map<string, { readonly requestedAt: number; readonly lifetimeMs: number }>();

  const send = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (...request) => {
    const requestedAt = Date.now();
    const response = await send(...request);
    if (response.ok && new URL(response.url).pathname.endsWith('/actions')) record.streams += 1;
    if (!response.url.endsWith('/keys') || !response.ok) return response;
    const { key, lifetimeMs } = await response.clone().json();
    record.keys.push(key);
    births.set(key, { requestedAt, lifetimeMs });
    return response;
  };

  const loaded = new WeakSet<EventTarget>();
  // The window never hears the load event of an element.
  document.addEventListener(
    'load',
    ({ target }) => target instanceof HTMLIFrameElement && loaded.add(target),
    true,
  );
  let hasShown = false;
  let shown: Element | undefined;
  const visibleFrames = () =>
    [...document.querySelectorAll('iframe')].filter((frame) =>
      frame.checkVisibility({ visibilityProperty: true }),
    );
  /** The elapsed share of a key's lifetime, from 0 to 1 and above. */
  const ageOf = (key: string | null) => {
    const birth = births.get(key ?? '');
    return birth && (Date.now() - birth.requestedAt) / birth.lifetimeMs;
  };
  const hasEnded = (key: string | null) => (ageOf(key) ?? 0) > 1;
  const keyIn = (frame?: HTMLIFrameElement) => new URL(frame?.src || 'about:blank').searchParams.get('ev');
  const look = () => {
    const frames = visibleFrames();
    const isLoaded = frames.some((frame) => loaded.has(frame));
    hasShown ||= isLoaded;
    if (isLoaded) {
      if (shown && frames[0] !== shown) record.calls.push('swapped');
      [shown] = frames;
    }
    if (hasShown && !isLoaded) record.blankMoments += 1;
    if (frames.some((frame) => hasEnded(keyIn(frame)))) record.endedMoments += 1;
  };
  const { recorded } = record;
  new MutationObserver((changes) => {
    // React's latest commit may be painted before its effects run.
    look();
    for (const { type, target, attributeName, addedNodes } of changes) {
      if (!(target instanceof Element)) continue;
      if (attributeName === 'data-state') record.states.push(target.getAttribute('data-state') ?? '');
      if (type === 'attributes') recorded.document.push(target.outerHTML);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        recorded.document.push(node.outerHTML);
        const report = node.matches('[data-state]') ? node : node.querySelector('[data-state]');
        if (report) record.states.push(report.getAttribute('data-state') ?? '');
      }
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });

  for (const type of PerformanceObserver.supportedEntryTypes)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) recorded.timing.push(JSON.stringify(entry));
    }).observe({ type, buffered: true });

  for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) {
    const { [method]: say } = console;
    console[method] = (...parts: unknown[]) => {
      recorded.console.push(parts.map(String).join(' '));
      say.apply(console, parts);
    };
  }
  addEventListener('error', ({ message }) => recorded.console.push(message));
  addEventListener('pageshow', ({ persisted }) => {
    record.isRestored ||= persisted;
    if (persisted) record.restoredAt = realNow();
    record.isRestoredCovered ||= persisted && visibleFrames().length === 0;
  });
  return {
    record,
    readAge: () => ageOf(keyIn(visibleFrames()[0])),
    recordPictures: () => {
      const lookAtPicture = () => {
        look();
        requestAnimationFrame(lookAtPicture);
      };
      requestAnimationFrame(lookAtPicture);
    },
    recordWakes: () => {
      let lookedAt = realNow();
      let wokenAt = 0;
      let seen: string | null = null;
      setInterval(() => {
        const now = realNow();
        if (now - lookedAt > shortestSleepMs) {
          wokenAt = now;
          record.wakes.push({ hadEnded: hasEnded(seen), staleMs: undefined });
        }
        lookedAt = now;
        seen = keyIn(visibleFrames()[0]);
        const wake = record.wakes.at(-1);
        if (wake && !hasEnded(seen)) wake.staleMs ??= now - wokenAt;
      }, lookEveryMs);
    },
  };
};

export const {
  /** What the page records about itself from now on. A test reads it through `window.host`. */
  record,
  /** The elapsed share of the visible key's lifetime; undefined when none is visible. */
  readAge,
  /** Looks at every picture of the page, which makes the browser paint all the time. */
  recordPictures,
  /** Records the times in which the page does not run: it looks at itself a hundred times per second. */
  recordWakes,
} = recordPage();
export type PageRecord = typeof record;
