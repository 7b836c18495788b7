import { usePrefetchReport } from '@vitrine/react';
import { Activity, type ReactNode, startTransition, useEffect, useState } from 'react';
import type { PageRecord } from './pageRecord.ts';
import { Report } from './Report.tsx';

interface ActivityViewProps {
  readonly record: PageRecord;
  readonly mode: 'hidden' | 'visible';
}

/** A report in a part of the page that React hides and keeps. */
export const ActivityView = ({ record, mode: initialMode }: ActivityViewProps): ReactNode => {
  const [mode, setMode] = useState(initialMode);
  // As a router does it: the change may be painted before React runs the effects.
  const toggle = () =>
    startTransition(() => setMode((current) => (current === 'hidden' ? 'visible' : 'hidden')));
  return (
    <main>
      <button id="toggle" type="button" onClick={toggle}>
        Show or hide
      </button>
      <Activity mode={mode}>
        <Report record={record} />
      </Activity>
    </main>
  );
};

/** A report that is pre-rendered, with its key available, in a hidden part of the page. */
export const PrerenderedView = ({ record }: Pick<ActivityViewProps, 'record'>): ReactNode => {
  const [hasKey, setHasKey] = useState(false);
  const prefetch = usePrefetchReport();
  useEffect(() => void prefetch(1042).then(() => setHasKey(true)), [prefetch]);
  return hasKey && <ActivityView record={record} mode="hidden" />;
};
