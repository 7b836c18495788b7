import { EmbeddedReport, EmbedProvider, type ReportAction } from '@vitrine/react';
import { useState } from 'react';
import { Selection } from './Selection.tsx';

interface DeskProps {
  readonly viewer: string;
  readonly itemId: number | undefined;
  readonly title: string;
  readonly onSignedOut: () => void;
}

/** A report and its selection. */
export const Desk = ({ viewer, itemId, title, onSignedOut }: DeskProps) => {
  const [action, setAction] = useState<ReportAction>();
  return (
    <>
      <Selection action={action?.itemId === itemId ? action : undefined} />
      <main className="stage" id="report" aria-label="Report" tabIndex={-1}>
        <h1 className="visually-hidden">{title}</h1>
        {itemId !== undefined && (
          <EmbedProvider viewerKey={viewer}>
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
    </>
  );
};
