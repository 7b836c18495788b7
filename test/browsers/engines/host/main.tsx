/** The page of a host app, for the regional manager of the north. Its URL selects the view. */
import type { EmbeddedReportHandle } from '@vitrine/react';
import '@vitrine/react/styles.css';
import { createRef, type ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createPageClock } from '../../../support/pageClock.ts';
import { ActivityView, PrerenderedView } from './ActivityView.tsx';
import { record } from './pageRecord.ts';
import { Report } from './Report.tsx';
import { RoutesView } from './RoutesView.tsx';
import { readServerState, ServerRendered } from './ServerRendered.tsx';

const wishes = new URLSearchParams(location.search);
const clock = createPageClock();
const report = createRef<EmbeddedReportHandle>();

const views: Readonly<Record<string, () => ReactNode>> = {
  report: () => (
    <Report
      ref={report}
      fullscreenButton={wishes.has('fullscreen')}
      concealKey={wishes.has('conceal')}
      onAction={wishes.has('listen') ? (action) => record.actions.push(action) : undefined}
    />
  ),
  lazy: () => (
    <div style={{ paddingBlockStart: 4000 }}>
      <Report lazy />
    </div>
  ),
  scaled: () => (
    <div style={{ width: 320, height: 240, overflow: 'hidden' }}>
      <Report
        style={
          wishes.has('zoom') ? { zoom: 0.5 } : { width: 640, transform: 'scale(0.5)', transformOrigin: '0 0' }
        }
      />
    </div>
  ),
  field: () => (
    <>
      <input id="field" aria-label="A field of the host" />
      <div style={{ blockSize: 2000 }} />
      <Report />
    </>
  ),
  routes: () => <RoutesView />,
  activity: () => <ActivityView />,
  prerendered: () => <PrerenderedView />,
};

// Keeps the page out of the back/forward cache.
if (wishes.has('unload')) addEventListener('unload', () => undefined);

const place = document.getElementById('root');
if (place === null) throw new Error('The page has no root.');
const shadow = wishes.has('shadow') && place.attachShadow({ mode: 'closed' });
const root = shadow || place;
const state = readServerState();
if (state) hydrateRoot(place, <ServerRendered state={state} />);
else {
  const view = views[wishes.get('view') ?? 'report']?.();
  const session = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"personId":"north"}',
  };
  void fetch('/demo/session', session).then(() => createRoot(root).render(view));
}

/** The interface for tests. */
const host = { record, advanceClock: clock.advance, root, report };
export type HostPage = typeof host;
Object.assign(globalThis, { host });
