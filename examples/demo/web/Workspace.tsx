import type { ReportAction } from '@vitrine/react';
import { useEffect, useState } from 'react';
import { BrokenKey, type BrokenKeyKind } from './BrokenKey.tsx';
import type { PersonSummary, ReportSummary } from './backend.ts';
import { Desk } from './Desk.tsx';
import { HowItIsMade } from './HowItIsMade.tsx';
import { ReportList } from './ReportList.tsx';
import { Selection } from './Selection.tsx';
import { StageTools } from './StageTools.tsx';
import { TopBar } from './TopBar.tsx';
import { useReportInAddress } from './useReportInAddress.ts';
import { WhatCanGoWrong } from './WhatCanGoWrong.tsx';

interface WorkspaceProps {
  readonly person: PersonSummary;
  readonly beside: PersonSummary | null;
  readonly people: readonly PersonSummary[];
  readonly reports: readonly ReportSummary[];
  readonly onSwitch: (personId: string) => void;
  /** Shows a second person beside the first, or nobody. */
  readonly onCompare: (personId: string | undefined) => void;
  readonly onSignOut: () => void;
  /** Called when the session has ended elsewhere. */
  readonly onSignedOut: () => void;
}

/** The list of reports and the open report. */
export const Workspace = (props: WorkspaceProps) => {
  const { person, beside, people, reports, onSwitch, onCompare, onSignOut, onSignedOut } = props;
  const itemId = useReportInAddress() ?? reports[0]?.itemId;
  const report = reports.find((candidate) => candidate.itemId === itemId);
  const title = report?.title ?? `Report ${itemId ?? ''}`;
  const [selected, setSelected] = useState<{ readonly personId: string; readonly action: ReportAction }>();
  const [isExplained, setExplained] = useState(false);
  const [broken, setBroken] = useState<{
    readonly kind: BrokenKeyKind;
    readonly itemId: number | undefined;
  }>();

  const isOwn = selected?.personId === person.id && selected.action.itemId === itemId;
  const selection = isOwn ? selected.action : undefined;

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
      <Selection action={selection} />
      <main className="stage" id="report" aria-label="Report" tabIndex={-1}>
        <h1 className="visually-hidden">{title}</h1>
        <StageTools
          others={people.filter(({ id }) => id !== person.id)}
          besideId={beside?.id}
          onCompare={onCompare}
          isExplained={isExplained}
          onExplain={() => setExplained(!isExplained)}
        />
        <div className="desk">
          {broken !== undefined && broken.itemId === itemId ? (
            <BrokenKey kind={broken.kind} onBack={() => setBroken(undefined)} />
          ) : (
            itemId !== undefined && (
              // One person's report ends with them; the bar above stays, and with it the keyboard's place.
              <Desk
                key={person.id}
                person={person}
                beside={beside}
                itemId={itemId}
                title={title}
                onAction={(action) => setSelected({ personId: person.id, action })}
                onSignedOut={onSignedOut}
              />
            )
          )}
          {isExplained && <HowItIsMade />}
        </div>
      </main>
      <WhatCanGoWrong onBreak={(kind) => setBroken({ kind, itemId })} />
    </div>
  );
};
