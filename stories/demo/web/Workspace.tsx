import { EmbeddedReport, EmbedProvider, type ReportAction } from '@vitrine/react';
import { useEffect, useState } from 'react';
import type { PersonSummary, ReportSummary } from './backend.ts';
import { ReportList } from './ReportList.tsx';
import { Selection } from './Selection.tsx';
import { TopBar } from './TopBar.tsx';
import { useReportInAddress } from './useReportInAddress.ts';
import { WhatCanGoWrong } from './WhatCanGoWrong.tsx';

interface WorkspaceProps {
  readonly person: PersonSummary;
  readonly people: readonly PersonSummary[];
  readonly reports: readonly ReportSummary[];
  readonly onSwitch: (personId: string) => void;
  readonly onSignOut: () => void;
  /** The backend knows nobody any more: the session has ended elsewhere. */
  readonly onSignedOut: () => void;
}

/** The list of reports and the one that is open. */
export const Workspace = ({ person, people, reports, onSwitch, onSignOut, onSignedOut }: WorkspaceProps) => {
  const itemId = useReportInAddress() ?? reports[0]?.itemId;
  const report = reports.find((candidate) => candidate.itemId === itemId);
  const [action, setAction] = useState<ReportAction>();
  const title = report?.title ?? `Report ${itemId ?? ''}`;

  useEffect(() => {
    document.title = `${title} · Acme Insights`;
  }, [title]);

  return (
    <div className="shell">
      <a className="skip" href="#report">
        Skip to the report
      </a>
      <TopBar person={person} people={people} onSwitch={onSwitch} onSignOut={onSignOut} />
      <nav className="side" aria-label="Reports">
        <ReportList reports={reports} current={itemId} />
      </nav>
      <Selection action={action?.itemId === itemId ? action : undefined} />
      <main className="stage" id="report" aria-label="Report" tabIndex={-1}>
        <h1 className="visually-hidden">{title}</h1>
        {itemId !== undefined && (
          <EmbedProvider viewer={person.id}>
            <EmbeddedReport
              itemId={itemId}
              title={title}
              onAction={setAction}
              onError={(error) => {
                if (error.kind === 'signed_out') onSignedOut();
              }}
            />
          </EmbedProvider>
        )}
      </main>
      <WhatCanGoWrong />
    </div>
  );
};
