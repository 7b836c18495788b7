import { useEffect } from 'react';
import type { PersonSummary, ReportSummary } from './backend.ts';
import { Desk } from './Desk.tsx';
import { ReportList } from './ReportList.tsx';
import { TopBar } from './TopBar.tsx';
import { useReportInAddress } from './useReportInAddress.ts';
import { WhatCanGoWrong } from './WhatCanGoWrong.tsx';

interface WorkspaceProps {
  readonly person: PersonSummary;
  readonly people: readonly PersonSummary[];
  readonly reports: readonly ReportSummary[];
  readonly onSwitch: (personId: string) => void;
  readonly onSignOut: () => void;
  /** Called when the session has ended elsewhere. */
  readonly onSignedOut: () => void;
}

/** The list of reports and the open report. */
export const Workspace = ({ person, people, reports, onSwitch, onSignOut, onSignedOut }: WorkspaceProps) => {
  const itemId = useReportInAddress() ?? reports[0]?.itemId;
  const report = reports.find((candidate) => candidate.itemId === itemId);
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
      {/* One person's report and selection end with them; the bar above stays, and with it the keyboard's place. */}
      <Desk key={person.id} viewer={person.id} itemId={itemId} title={title} onSignedOut={onSignedOut} />
      <WhatCanGoWrong />
    </div>
  );
};
