import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { VitrineDevtools } from '@vitrine/react/devtools';
import { Suspense } from 'react';
import '@vitrine/react/styles.css';

export default function ReportPage() {
  return (
    <EmbedProvider>
      <Suspense>
        <EmbeddedReport itemId={1042} title="Sales by region" />
      </Suspense>
      {process.env.NODE_ENV === 'development' && <VitrineDevtools />}
    </EmbedProvider>
  );
}
