import { EmbeddedReport } from '@vitrine/react';
import { VitrineDevtools } from '@vitrine/react/devtools';

export const ReportWithDevtools = () => (
  <>
    <EmbeddedReport itemId={1042} title="Sales by region" height={480} />
    <VitrineDevtools />
  </>
);
