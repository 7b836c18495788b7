import { usePrefetchReport } from '@vitrine/react';
import { Activity, type ReactNode, startTransition, useEffect, useState } from 'react';
import { Report } from './Report.tsx';

/** A report in a part of the page that React hides and keeps. */
export const ActivityView = ({ isHidden = false }): ReactNode => {
  const [mode, setMode] = useState<'hidden' | 'visible'>(isHidden ? 'hidden' : 'visible');
  // As a router does it: the change may be painted before React runs the effects.
  const toggle = () =>
    startTransition(() => setMode((current) => (current === 'hidden' ? 'visible' : 'hidden')));
  return (
    <main>
      <button id="toggle" type="button" onClick={toggle}>
        Show or hide
      </button>
      <Activity mode={mode}>
        <Report />
      </Activity>
    </main>
  );
};

/** A report that is pre-rendered, with its key available, in a hidden part of the page. */
export const PrerenderedView = (): ReactNode => {
  const [hasKey, setHasKey] = useState(false);
  const prefetch = usePrefetchReport();
  useEffect(() => void prefetch(1042).then(() => setHasKey(true)), [prefetch]);
  return hasKey && <ActivityView isHidden />;
};
