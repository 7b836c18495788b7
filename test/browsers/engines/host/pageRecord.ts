import type { ReportAction } from '@vitrine/react';

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
    /** Whether this page returned from the back/forward cache, and whether it showed no report at that moment. */
    isRestored: false,
    isRestoredCovered: false,
  };
  const expiresAt = new Map<string, number>();

  const send = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (...request) => {
    const requestedAt = Date.now();
    const response = await send(...request);
    if (response.ok && new URL(response.url).pathname.endsWith('/actions')) record.streams += 1;
    if (!response.url.endsWith('/keys') || !response.ok) return response;
    const { key, lifetimeMs } = await response.clone().json();
    record.keys.push(key);
    expiresAt.set(key, requestedAt + lifetimeMs);
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
  const look = () => {
    const frames = visibleFrames();
    const isLoaded = frames.some((frame) => loaded.has(frame));
    hasShown ||= isLoaded;
    if (isLoaded) {
      if (shown && frames[0] !== shown) record.calls.push('swapped');
      [shown] = frames;
    }
    if (hasShown && !isLoaded) record.blankMoments += 1;
    const isEnded = frames.some((frame) => {
      const key = new URL(frame.src || 'about:blank').searchParams.get('ev') ?? '';
      return Date.now() > (expiresAt.get(key) ?? Infinity);
    });
    if (isEnded) record.endedMoments += 1;
  };
  const lookAtPicture = () => {
    look();
    requestAnimationFrame(lookAtPicture);
  };
  requestAnimationFrame(lookAtPicture);

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
    record.isRestoredCovered ||= persisted && visibleFrames().length === 0;
  });
  return record;
};

/** What the page records about itself from now on. A test reads it through `window.host`. */
export const record = recordPage();
export type PageRecord = typeof record;
