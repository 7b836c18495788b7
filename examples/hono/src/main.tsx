import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { VitrineDevtools } from '@vitrine/react/devtools';
import '@vitrine/react/styles.css';
import { createRoot } from 'react-dom/client';

export function ReportPage() {
  return (
    <EmbedProvider>
      <EmbeddedReport itemId={1042} title="Sales by region" />
      {import.meta.env.DEV && <VitrineDevtools />}
    </EmbedProvider>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<ReportPage />);
