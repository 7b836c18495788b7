'use client';
import { useEffect, useReducer } from 'react';
import { type InspectionEvent, inspectedReports, inspectors } from '../inspectors.ts';

/** An error of a report. */
export interface SeenError {
  readonly id: number;
  readonly itemId: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly at: string;
}

const maxErrors = 10;
let errors: readonly SeenError[] = [];
let count = 0;

const record = (event: InspectionEvent): void => {
  const error = event.type === 'state' ? event.state.error : undefined;
  if (event.type !== 'state' || !error) return;
  const { code, requestId } = error;
  count += 1;
  const seen = { id: count, itemId: event.itemId, code, requestId, at: new Date().toLocaleTimeString() };
  errors = [seen, ...errors].slice(0, maxErrors);
};
inspectors.add(record);
// Record the errors from before this code was loaded.
for (const { itemId, getSnapshot } of inspectedReports)
  record({ type: 'state', itemId, state: getSnapshot().state });

/** Re-renders every second and returns the newest errors of the page. */
export const useInspection = (): readonly SeenError[] => {
  const [, redraw] = useReducer((tick: number) => tick + 1, 0);
  useEffect(() => {
    const timer = setInterval(redraw, 1000);
    return () => clearInterval(timer);
  }, []);
  return errors;
};
