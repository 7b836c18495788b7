import type { ReactNode } from 'react';
import type { InspectedReport } from '../inspectors.ts';
import { card, row } from './panelStyles.ts';
import { expireKey, renew, slowFrame } from './simulations.ts';

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** One report: its state, key, frames and controls. */
export const ReportRow = ({ report }: { readonly report: InspectedReport }): ReactNode => {
  const { itemId, session, getSnapshot, getFrames } = report;
  const { status, error } = getSnapshot().state;
  const frames = getFrames();
  const key = frames.at(-1)?.key;
  const now = session.clock.now();
  const actions = [
    ['Renew now', renew],
    ['Expire key', expireKey],
    ['Slow frame', slowFrame],
  ] as const;
  return (
    <li style={card}>
      <strong>Report {itemId}</strong>: {status}
      {error && ` (${error.code})`}
      <div>
        {key
          ? `Key: ${seconds(now - key.issuedAt)} old, renewal in ${seconds(key.refreshAt - now)}, expires in ${seconds(key.expiresAt - now)}`
          : 'Key: none'}
      </div>
      <div>Frames: {frames.map((frame) => frame.status).join(', ') || 'none'}</div>
      <div style={row}>
        {actions.map(([label, run]) => (
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
