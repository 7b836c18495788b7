import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { VitrineDevtools } from '@vitrine/react/devtools';
import '@vitrine/react/styles.css';

export default function ReportPage() {
  return (
    <EmbedProvider>
      <EmbeddedReport itemId={1042} title="Sales by region" />
      {import.meta.env.DEV && <VitrineDevtools />}
    </EmbedProvider>
  );
}
