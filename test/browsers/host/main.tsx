/** The page of a host app, for the regional manager of the north. Its URL selects the view. */
import '@vitrine/react/styles.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createPageClock } from '../../support/pageClock.ts';
import { readAge, record, recordPictures, recordWakes } from './pageRecord.ts';
import { ServerRendered } from './ServerRendered.tsx';
import { report, views, wishes } from './views.tsx';

if (wishes.has('wakes')) recordWakes();
else recordPictures();
/** How many times faster than real time the page's clocks and timers run. */
const clock = createPageClock(Number(wishes.get('speed') ?? 1));

// Keeps the page out of the back/forward cache.
if (wishes.has('unload')) addEventListener('unload', () => undefined);

const place = document.getElementById('root');
if (place === null) throw new Error('The page has no root.');
const shadow = wishes.has('shadow') && place.attachShadow({ mode: 'closed' });
const root = shadow || place;
// The state that the server sent with a page that it rendered.
const state = document.getElementById('server-state')?.textContent;
if (state) hydrateRoot(place, <ServerRendered state={JSON.parse(state)} />);
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
const host = { record, readAge, advanceClock: clock.advance, root, report };
export type HostPage = typeof host;
Object.assign(globalThis, { host });
