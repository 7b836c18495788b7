import { element } from './element.ts';

/** Interval at which an open page checks its key, in milliseconds. */
const checkEveryMs = 5000;

const endings: Readonly<Record<string, string>> = {
  expired: 'The key for this report has expired. Open the report again from its application.',
  revoked: 'Your access to this report was withdrawn. Open the report again from its application.',
};

// As on the server: a key has no spaces, each was a literal "+".
const key = (new URLSearchParams(window.location.search).get('ev') ?? '').replaceAll(' ', '+');

/** Asks a route of the open report, with its key. */
export const askPortal = (route: 'actions' | 'export' | 'session', body?: unknown): Promise<Response> =>
  fetch(`${window.location.pathname}/${route}`, {
    method: 'POST',
    headers: {
      authorization: `ReportKey ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    cache: 'no-store',
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Covers the report when its key has ended; its content can no longer be read or focused. */
const showEnd = (state: string): void => {
  const ending = endings[state] === undefined ? 'expired' : state;
  document.documentElement.dataset['portalState'] = ending;
  const title = 'Your access to this report has ended';
  const notice = element(
    'div',
    { class: 'ended', role: 'alertdialog', 'aria-modal': 'true', 'aria-label': title, tabindex: '-1' },
    element('h2', {}, title),
    element('p', {}, endings[ending] ?? ''),
  );
  // Remove the rows, not only their drawing.
  document.querySelector('#report')?.replaceChildren();
  document.querySelector('#report-model')?.remove();
  document.body.append(notice);
  // A viewer who works elsewhere in the host's page stays there.
  if (document.hasFocus()) notice.focus();
};

/**
 * Covers the report once its key has ended, and calls back. The portal decides, not this machine's clock: the page
 * checks at the expected time, every few seconds, and whenever it becomes visible; after the end, never again.
 */
export const watchKey = (endsInMs: number, onEnd: () => void): void => {
  let timer = 0;
  let hasEnded = false;
  const checkIn = (waitMs: number) => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void check(), Math.max(250, Math.min(checkEveryMs, waitMs)));
  };
  const check = async () => {
    window.clearTimeout(timer);
    const session = await askPortal('session')
      .then((answer) => answer.json() as Promise<{ readonly state: string; readonly endsInMs: number }>)
      // The portal cannot be reached; the next check decides.
      .catch(() => ({ state: 'open', endsInMs: checkEveryMs }));
    if (hasEnded) return;
    if (session.state === 'open') return checkIn(session.endsInMs);
    hasEnded = true;
    onEnd();
    showEnd(session.state);
  };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !hasEnded) void check();
  });
  checkIn(endsInMs);
};
