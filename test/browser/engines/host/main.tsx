/** The page of a host app. Its URL selects the view. */
import '@vitrine/react/styles.css';
import type { ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createPageClock } from '../../../support/pageClock.ts';
import { ActivityView, PrerenderedView } from './ActivityView.tsx';
import { recordPage } from './pageRecord.ts';
import { Report } from './Report.tsx';
import { RoutesView } from './RoutesView.tsx';
import { readServerState, ServerRendered } from './ServerRendered.tsx';
import { SignIn } from './SignIn.tsx';

const wishes = new URLSearchParams(location.search);
const clock = createPageClock();
const record = recordPage();

const views: Readonly<Record<string, () => ReactNode>> = {
  report: () => (
    <Report
      record={record}
      concealKey={wishes.has('conceal')}
      onAction={wishes.has('listen') ? (action) => record.actions.push(action) : undefined}
    />
  ),
  lazy: () => (
    <div style={{ paddingBlockStart: 4000 }}>
      <Report record={record} lazy />
    </div>
  ),
  routes: () => <RoutesView record={record} />,
  activity: () => <ActivityView record={record} mode="visible" />,
  prerendered: () => <PrerenderedView record={record} />,
};

// Keeps the page out of the back/forward cache.
if (wishes.has('unload')) addEventListener('unload', () => undefined);

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root.');
const state = readServerState();
if (state) hydrateRoot(root, <ServerRendered state={state} />);
else createRoot(root).render(<SignIn>{views[wishes.get('view') ?? 'report']?.()}</SignIn>);

/** The interface for tests. */
const host = { record, advanceClock: clock.advance };
export type HostPage = typeof host;
Object.assign(globalThis, { host });
