import type { ActionField, ReportAction } from '@vitrine/react';

interface RegionCard {
  readonly region: string;
  readonly contact: string;
  readonly openOffers: number;
  readonly nextVisit: string;
}

const cardsOf = ({ result }: ReportAction): readonly RegionCard[] =>
  Array.isArray(result) ? (result as readonly RegionCard[]) : []; // written by ../backend/customers.ts

const nameOf = ({ column, measure, level }: ActionField): string => column ?? measure ?? level ?? '';
const textOf = ({ value, formattedValue }: ActionField): string => formattedValue ?? String(value);

/** The selection in the report, and the host's own data about it. */
export const Selection = ({ action }: { readonly action: ReportAction | undefined }) => (
  <aside className="selection" aria-label="Selection" aria-live="polite">
    <h2>Your selection</h2>
    {action === undefined || action.isCleared ? (
      <p className="muted">
        Click in a chart or table marked “Linked”: your selection appears here, only for you.
      </p>
    ) : (
      <>
        {action.rows.slice(0, 5).map((row) => (
          <dl key={JSON.stringify(row)} className="facts">
            {[...row.identity, ...row.values].map((field) => (
              <div key={nameOf(field)}>
                <dt>{nameOf(field)}</dt>
                <dd>{textOf(field)}</dd>
              </div>
            ))}
          </dl>
        ))}
        {cardsOf(action).map(({ region, contact, openOffers, nextVisit }) => (
          <section key={region} className="own-data" aria-label={`Own records: ${region}`}>
            <h3>From your own records</h3>
            <dl className="facts">
              <div>
                <dt>Contact</dt>
                <dd>{contact}</dd>
              </div>
              <div>
                <dt>Open offers</dt>
                <dd>{openOffers}</dd>
              </div>
              <div>
                <dt>Next visit</dt>
                <dd>{nextVisit}</dd>
              </div>
            </dl>
          </section>
        ))}
      </>
    )}
  </aside>
);
