/** The page of a host app, with a clock that a test can advance or accelerate, and a record of what is visible. */
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { createRoot } from 'react-dom/client';
import { createPageClock } from '../../support/pageClock.ts';
import { recordVisibleKeys } from './recordVisibleKeys.ts';

const wishes = new URLSearchParams(location.search);
/** How many times faster than real time the page's clocks and timers run. */
const speed = Number(wishes.get('speed') ?? 1);
const third = wishes.get('third');

const record = recordVisibleKeys(speed);
const clock = createPageClock(speed);
const violations: string[] = [];
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
  violations.push(`${effectiveDirective} ${blockedURI}`),
);

/** When this page returned from the back/forward cache. */
const restored: number[] = [];
addEventListener('pageshow', ({ persisted, timeStamp }) => {
  if (persisted) restored.push(timeStamp);
});

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no root.');

/** The control: a hand-written frame without key renewal, which navigates to a new URL for a new key. */
const showPlainFrame = async () => {
  const frame = document.createElement('iframe');
  const renew = async () => {
    const headers = { 'content-type': 'application/json', 'x-vitrine-request': '1' };
    const asked = { method: 'POST', headers, body: JSON.stringify({ itemId: 1042 }) };
    const { tenantUrl, itemId, key } = await (await record.fetch('/api/embed/keys', asked)).json();
    frame.src = `${tenantUrl}/report/${itemId}?ev=${encodeURIComponent(key)}`;
  };
  await renew();
  frame.addEventListener('load', () => frame.setAttribute('data-state', 'ready'));
  root.append(frame);
  if (wishes.has('unload')) addEventListener('unload', () => frame.remove());
  return renew;
};

const showReport = () => {
  createRoot(root).render(
    <EmbedProvider fetch={record.fetch}>
      <EmbeddedReport
        itemId={1042}
        title="Sales by region"
        height={480}
        concealKey={wishes.has('conceal')}
        onAction={wishes.has('listen') ? () => {} : undefined}
        // A page that sends its URL to a third party whenever a report has loaded.
        onLoad={() => {
          if (third !== null) new Image().src = `${third}/pixel?${performance.now()}`;
        }}
      />
    </EmbedProvider>,
  );
  return () => clock.advance(50_000);
};

const renew = wishes.has('plain') ? await showPlainFrame() : showReport();

/** The interface for tests. */
const host = { record, violations, restored, renew, advance: clock.advance };
export type HostPage = typeof host;
Object.assign(globalThis, { host });
