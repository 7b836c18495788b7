import { EmbeddedReport, usePrefetchReport } from '@vitrine/react';
import { useState } from 'react';

const reports = [
  { itemId: 1042, title: 'Sales by region' },
  { itemId: 1043, title: 'Order book' },
  { itemId: 1044, title: 'Operations board' },
];

export const PrefetchTabs = () => {
  const [open, setOpen] = useState<(typeof reports)[number]>();
  const prefetch = usePrefetchReport();
  return (
    <>
      <nav aria-label="Reports" className="host-tabs">
        {reports.map((report) => (
          <button
            key={report.itemId}
            type="button"
            className="host-button"
            aria-pressed={report === open}
            onMouseEnter={() => prefetch(report.itemId)}
            onFocus={() => prefetch(report.itemId)}
            onClick={() => setOpen(report)}
          >
            {report.title}
          </button>
        ))}
      </nav>
      {open && <EmbeddedReport {...open} key={open.itemId} height={440} />}
    </>
  );
};
