import { EmbeddedReport, type ReportAction } from '@vitrine/react';
import { useState } from 'react';

export const SelectionNextToReport = () => {
  const [action, setAction] = useState<ReportAction>();
  const rows = action?.isCleared ? [] : (action?.rows ?? []);
  return (
    <div className="host-columns">
      <EmbeddedReport itemId={1042} title="Sales by region" height={480} onAction={setAction} />
      <aside aria-label="Selection" aria-live="polite" className="host-card host-aside">
        <strong>Your selection</strong>
        {rows.length === 0 && <span className="host-muted">Nothing is selected.</span>}
        {rows.map(({ identity }) => (
          <span key={JSON.stringify(identity)}>{identity.map(({ value }) => String(value)).join(', ')}</span>
        ))}
        {action?.message && <span className="host-muted">{action.message}</span>}
      </aside>
    </div>
  );
};
