'use client';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { inspectedReports, streamStatuses } from '../inspectors.ts';
import { corner, heading, list, note, panel, row, toggle } from './panelStyles.ts';
import { ReportRow } from './ReportRow.tsx';
import { type SimulatedFailure, simulatedFailure, simulateFailure } from './simulations.ts';
import { useInspection } from './useInspection.ts';

const failures: readonly (readonly [SimulatedFailure, string])[] = [
  ['offline', 'Offline'],
  ['internal_error', 'Backend error'],
];

/** The button and the panel of the developer tools. */
export const DevtoolsPanel = (): ReactNode => {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState(simulatedFailure);
  const errors = useInspection();
  // End the simulation with the panel, which explains the failures.
  useEffect(
    () => () => {
      if (simulatedFailure()) simulateFailure(undefined);
    },
    [],
  );
  const simulate = (next: SimulatedFailure) => {
    const wanted = next === failure ? undefined : next;
    simulateFailure(wanted);
    setFailure(wanted);
  };
  return (
    <div style={corner}>
      {isOpen && (
        <section id={id} aria-label="Vitrine devtools" style={panel}>
          <div style={row}>
            {failures.map(([name, label]) => (
              <button key={name} type="button" aria-pressed={failure === name} onClick={() => simulate(name)}>
                {failure === name ? `Stop: ${label}` : `Simulate: ${label}`}
              </button>
            ))}
          </div>
          <p style={note}>A report requests a key at most every 10 seconds, so changes may take that long.</p>
          <h2 style={heading}>Reports</h2>
          {inspectedReports.size === 0 && 'None on this page.'}
          <ul style={list}>
            {[...inspectedReports].map((report, index) => (
              <ReportRow key={`${report.itemId}-${String(index)}`} report={report} />
            ))}
          </ul>
          <h2 style={heading}>Action stream</h2>
          {[...streamStatuses].map(([endpoint, status]) => `${endpoint}: ${status}`).join(', ') || 'None.'}
          <h2 style={heading}>Last errors</h2>
          {errors.length === 0 && 'None.'}
          <ul style={list}>
            {errors.map((error) => (
              <li key={error.id}>
                {error.at} report {error.itemId}: {error.code}
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
          style={toggle}
          onClick={() => setOpen(!isOpen)}
        >
          Vitrine devtools
        </button>
      </div>
    </div>
  );
};
