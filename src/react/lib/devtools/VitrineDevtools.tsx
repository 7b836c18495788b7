'use client';
import {
  type CSSProperties,
  type ReactNode,
  useEffect,
  useId,
  useReducer,
  useState,
  useSyncExternalStore,
} from 'react';
import { streamStatuses } from '../actions.ts';
import type { EmbedError } from '../errors.ts';
import { simulation } from '../keyQuery.ts';
import { getClock } from '../keyTime.ts';
import { type ReportStore, reports } from '../reportStore.ts';

/** The browser's own colors, so that the panel follows the system's light or dark scheme. */
const surface: CSSProperties = {
  colorScheme: 'light dark',
  color: 'CanvasText',
  background: 'Canvas',
  border: '1px solid GrayText',
  padding: 12,
  font: '14px/1.5 system-ui, sans-serif',
};
const corner: CSSProperties = { position: 'fixed', zIndex: 2147483000, right: 12, bottom: 12 };
const panel: CSSProperties = {
  ...surface,
  width: 'min(390px, calc(100vw - 50px))',
  maxHeight: '60vh',
  overflow: 'auto',
};
const heading: CSSProperties = { font: 'inherit', fontWeight: 700, margin: '8px 0 0' };

/** Requests a new key now. The report's state shows the result. */
const renew = ({ refresh }: ReportStore): void => {
  refresh().catch(() => undefined);
};

/** Makes every key request fail, or none, and refreshes all reports. */
const simulateFailure = (failure: string | undefined): void => {
  simulation.failure = failure;
  for (const report of reports) renew(report);
};

/** Lets the keys of a report's frames expire now. */
const expireKey = ({ getFrames }: ReportStore): void => {
  const now = getClock().now();
  for (const { key } of getFrames()) Object.assign(key, { refreshAt: now, expiresAt: now });
  getClock().scheduleCheck();
};

/** Makes the report's frames slow, as if the portal did not respond. */
const slowFrame = ({ getFrames }: ReportStore): void => {
  for (const frame of getFrames()) Object.assign(frame, { status: 'loading', openedAt: -Infinity });
  getClock().scheduleCheck();
};

const reportActions = { 'Renew now': renew, 'Expire key': expireKey, 'Slow frame': slowFrame };
const failures = { Offline: 'offline', 'Backend error': 'internal_error' };

const maxErrors = 10;
const errors: { readonly itemId: number; readonly error: EmbedError; readonly at: string }[] = [];
const knownErrors = new WeakMap<ReportStore, EmbedError>();

/** Keeps the newest errors of the page. Every second, so that the panel needs nothing from the reports. */
const recordErrors = (): void => {
  for (const report of reports) {
    const { error } = report.getSnapshot().state;
    if (!error || knownErrors.get(report)?.code === error.code) continue;
    knownErrors.set(report, error);
    errors.unshift({ itemId: report.itemId, error, at: new Date().toLocaleTimeString() });
  }
  errors.length = Math.min(errors.length, maxErrors);
};

const inSeconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** One report: its state, key, frames and controls. */
const ReportRow = ({ report }: { readonly report: ReportStore }): ReactNode => {
  const { itemId, getSnapshot, getFrames } = report;
  const { status, error } = getSnapshot().state;
  const frames = getFrames();
  const key = frames.at(-1)?.key;
  const now = getClock().now();
  return (
    <li>
      <strong>Report {itemId}</strong>: {status}
      {error && ` (${error.code})`}
      <div>
        {key
          ? `Key: ${inSeconds(now - key.issuedAt)} old, renewal in ${inSeconds(key.refreshAt - now)}, expires in ${inSeconds(key.expiresAt - now)}`
          : 'Key: none'}
      </div>
      <div>Frames: {frames.map((frame) => frame.status).join(', ') || 'none'}</div>
      <div>
        {Object.entries(reportActions).map(([label, run]) => (
          <button
            key={label}
            type="button"
            aria-label={`${label}: report ${itemId}`}
            onClick={() => run(report)}
          >
            {label}
          </button>
        ))}
      </div>
    </li>
  );
};

/** The button and the panel of the developer tools. */
const DevtoolsPanel = (): ReactNode => {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [, redraw] = useReducer((tick: number) => tick + 1, 0);
  useEffect(() => {
    const look = () => {
      recordErrors();
      redraw();
    };
    look();
    const timer = setInterval(look, 1000);
    return () => {
      clearInterval(timer);
      // The simulation ends with the panel, which explains the failures.
      if (simulation.failure) simulateFailure(undefined);
    };
  }, []);
  const toggleFailure = (code: string) => {
    simulateFailure(simulation.failure === code ? undefined : code);
    redraw();
  };
  return (
    <div style={corner}>
      {isOpen && (
        <section id={id} aria-label="Vitrine devtools" style={panel}>
          <div>
            {Object.entries(failures).map(([label, code]) => (
              <button
                key={code}
                type="button"
                aria-pressed={simulation.failure === code}
                onClick={() => toggleFailure(code)}
              >
                {simulation.failure === code ? `Stop: ${label}` : `Simulate: ${label}`}
              </button>
            ))}
          </div>
          <p>A report requests a key at most every 10 seconds, so changes may take that long.</p>
          <h2 style={heading}>Reports</h2>
          {reports.size === 0 && 'None on this page.'}
          <ul>
            {[...reports].map((report, index) => (
              <ReportRow key={`${report.itemId}-${String(index)}`} report={report} />
            ))}
          </ul>
          <h2 style={heading}>Action stream</h2>
          {[...streamStatuses].map(([endpoint, status]) => `${endpoint}: ${status}`).join(', ') || 'None.'}
          <h2 style={heading}>Last errors</h2>
          {errors.length === 0 && 'None.'}
          <ul>
            {errors.map(({ itemId, error, at }) => (
              <li key={`${at} ${itemId} ${error.code}`}>
                {at} report {itemId}: {error.code}
                {error.requestId && ` (request ${error.requestId})`}
              </li>
            ))}
          </ul>
        </section>
      )}
      <div style={{ textAlign: 'right' }}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          style={surface}
          onClick={() => setOpen(!isOpen)}
        >
          Vitrine devtools
        </button>
      </div>
    </div>
  );
};

const subscribe = () => () => {};

/**
 * A button in the corner of the page that opens a panel with every report on the page.
 *
 * @example
 * ```tsx
 * import { VitrineDevtools } from '@vitrine/react/devtools';
 *
 * export const Tools = () => (import.meta.env.DEV ? <VitrineDevtools /> : undefined);
 * ```
 */
export const VitrineDevtools = (): ReactNode => {
  const isBrowser = useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
  return isBrowser && <DevtoolsPanel />;
};
