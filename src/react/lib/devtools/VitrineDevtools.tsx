'use client';
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import { clock, type PageReport, reports, streams } from '../page.ts';
import type { ReportState } from '../reportState.ts';

type Status = ReportState['status'];

const stateColors: Readonly<Record<Status, string>> = {
  idle: 'light-dark(#565e6c, #a2abba)',
  loading: 'light-dark(#3451d1, #94a8ff)',
  ready: 'light-dark(#0b6e3b, #58d68d)',
  refreshing: 'light-dark(#3451d1, #94a8ff)',
  degraded: 'light-dark(#8a5300, #f5b041)',
  expired: 'light-dark(#b3261e, #ff8a80)',
  failed: 'light-dark(#b3261e, #ff8a80)',
};

const surface: CSSProperties = {
  boxSizing: 'border-box',
  color: 'light-dark(#16191f, #e9ecf1)',
  background: 'light-dark(#fff, #181c23)',
  border: '1px solid light-dark(#c3c8d1, #454d5a)',
  borderRadius: 8,
  font: '13px/1.5 system-ui, sans-serif',
};
const button: CSSProperties = { ...surface, padding: '4px 10px', cursor: 'pointer' };
const row: CSSProperties = {
  display: 'flex',
  gap: 8,
  alignItems: 'baseline',
  justifyContent: 'space-between',
};
const heading: CSSProperties = { font: 'inherit', fontWeight: 700, margin: '12px 0 4px' };
const list: CSSProperties = { listStyle: 'none', margin: 0, padding: 0 };
const line: CSSProperties = { borderInlineStart: '2px solid', margin: '4px 0', paddingInlineStart: 8 };

interface DevtoolsEvent {
  readonly itemId: number;
  readonly at: string;
  readonly status: Status;
  readonly text: string;
}

const maxEvents = 20;

/** Creates a function that looks what has changed since its last call, so that the panel needs nothing from the reports. */
const createLook = () => {
  const lastTexts = new WeakMap<PageReport, string>();
  let events: readonly DevtoolsEvent[] = [];
  return (): readonly DevtoolsEvent[] => {
    for (const report of reports) {
      const { status, error } = report.getSnapshot().state;
      const request = error?.requestId ? ` (request ${error.requestId})` : '';
      const text = error ? `${error.code}${request}` : status;
      if (lastTexts.get(report) === text) continue;
      lastTexts.set(report, text);
      const at = new Date().toLocaleTimeString();
      events = [{ itemId: report.setup.itemId, at, status, text }, ...events].slice(0, maxEvents);
    }
    return [...events];
  };
};

/** Milliseconds as minutes and seconds: 47:36. */
const inMinutes = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

const ReportRow = ({ report }: { readonly report: PageReport }): ReactNode => {
  // What it reads changes outside of React.
  'use no memo';
  const { setup, getSnapshot, getFrames, controls } = report;
  const { itemId } = setup;
  const { status } = getSnapshot().state;
  const frames = getFrames();
  const key = frames.at(-1)?.key;
  const now = clock.now();
  return (
    <li style={{ ...line, borderColor: stateColors[status] }}>
      <div style={row}>
        <span>
          Report {itemId}: <strong style={{ color: stateColors[status] }}>{status}</strong>
        </span>
        <button
          type="button"
          style={button}
          aria-label={`Renew now: report ${itemId}`}
          // The report's state shows the result.
          onClick={controls.refresh}
        >
          Renew now
        </button>
      </div>
      {key
        ? `Key: ${inMinutes(now - key.issuedAt)} old, renewal in ${inMinutes(key.refreshAt - now)}, expires in ${inMinutes(key.expiresAt - now)}`
        : 'Key: none'}
      <div>Frames: {frames.map((frame) => frame.status).join(', ') || 'none'}</div>
    </li>
  );
};

/** In a corner; on a narrow page in its flow, so that it never covers a report. */
const placeOf = (isNarrow: boolean): CSSProperties =>
  isNarrow
    ? { padding: 12 }
    : { position: 'fixed', zIndex: 2147483000, right: 12, bottom: 12, maxWidth: 'min(390px, 100vw - 24px)' };

/** Props of {@link VitrineDevtools}. */
export interface VitrineDevtoolsProps {
  /** Whether the panel is open at first. Default false: a button opens it. */
  readonly defaultOpen?: boolean | undefined;
}

/**
 * A button that opens a panel with every report on the page: its state, key, frames and latest events. For development.
 *
 * @example
 * ```tsx
 * import { VitrineDevtools } from '@vitrine/react/devtools';
 *
 * export const Tools = () => (import.meta.env.DEV ? <VitrineDevtools /> : undefined);
 * ```
 */
export const VitrineDevtools = ({ defaultOpen = false }: VitrineDevtoolsProps): ReactNode => {
  'use no memo';
  const [isOpen, setOpen] = useState(defaultOpen);
  const [events, setEvents] = useState<readonly DevtoolsEvent[]>();
  useEffect(() => {
    const look = createLook();
    const update = () => setEvents(look());
    update();
    const timer = setInterval(update, 1000);
    return () => clearInterval(timer);
  }, []);
  // On a server and during hydration.
  if (!events) return null;
  const place = placeOf(window.matchMedia('(max-width: 640px)').matches);
  return (
    <div style={{ ...place, textAlign: 'end' }}>
      {isOpen && (
        <section
          aria-label="Vitrine devtools"
          style={{
            ...surface,
            marginBottom: 8,
            padding: 12,
            maxHeight: '60vh',
            overflow: 'auto',
            textAlign: 'start',
          }}
        >
          <h2 style={heading}>Reports</h2>
          {reports.size === 0 && 'None on this page.'}
          <ul style={list}>
            {[...reports].map((report, index) => (
              <ReportRow key={`${report.setup.itemId}-${String(index)}`} report={report} />
            ))}
          </ul>
          <h2 style={heading}>Action stream</h2>
          {[...streams.values()].map(({ endpoint, getStatus }) => `${endpoint}: ${getStatus()}`).join(', ') ||
            'None.'}
          <h2 style={heading}>Events</h2>
          <ol style={list}>
            {events.map(({ at, itemId, status, text }, index) => (
              <li key={events.length - index} style={{ ...line, borderColor: stateColors[status] }}>
                {at} report {itemId}: {text}
              </li>
            ))}
          </ol>
        </section>
      )}
      <button type="button" style={button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Vitrine devtools
      </button>
    </div>
  );
};
