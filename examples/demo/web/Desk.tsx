import { EmbeddedReport, EmbedProvider, type ReportAction } from '@vitrine/react';
import type { PersonSummary } from './backend.ts';

interface DeskProps {
  readonly person: PersonSummary;
  readonly beside: PersonSummary | null;
  readonly itemId: number;
  readonly title: string;
  readonly onAction: (action: ReportAction) => void;
  readonly onSignedOut: () => void;
}

const PersonHeading = ({ person }: { readonly person: PersonSummary }) => (
  <h2 className="viewer">
    {person.name} <span className="muted">{person.summary}</span>
  </h2>
);

/** A report; with a second person, the report as each of them sees it. */
export const Desk = ({ person, beside, itemId, title, onAction, onSignedOut }: DeskProps) => (
  <>
    <section aria-label={person.name}>
      {beside && <PersonHeading person={person} />}
      <EmbedProvider endpoint="/api/embed" viewerKey={person.id}>
        <EmbeddedReport
          itemId={itemId}
          title={title}
          onAction={onAction}
          onError={(error) => {
            if (error.kind === 'signed_out') onSignedOut();
          }}
        />
      </EmbedProvider>
    </section>
    {beside && (
      <section aria-label={beside.name}>
        <PersonHeading person={beside} />
        <EmbedProvider endpoint="/api/embed-beside" viewerKey={beside.id}>
          <EmbeddedReport itemId={itemId} title={`${title}, as ${beside.name}`} />
        </EmbedProvider>
      </section>
    )}
  </>
);
