import { EmbeddedReport } from '@vitrine/react';

export const TwoReports = () => (
  <div className="host-columns">
    <EmbeddedReport itemId={1042} title="Sales by region" height={320} />
    <EmbeddedReport itemId={1043} title="Order book" height={320} />
  </div>
);
