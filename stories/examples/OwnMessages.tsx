import { EmbeddedReport } from '@vitrine/react';

export const OwnMessages = () => (
  <EmbeddedReport
    itemId={1042}
    title="Sales by region"
    height={480}
    renderLoading={() => <p className="host-panel">One moment, fetching your figures…</p>}
    renderError={({ error, retry }) => (
      <div className="host-panel" role="alert">
        <strong>Figures are late today</strong>
        <code>{error.code}</code>
        <button type="button" className="host-button" onClick={retry}>
          Ask again
        </button>
      </div>
    )}
  />
);
