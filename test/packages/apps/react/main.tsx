import { EmbeddedReport } from '@vitrine/react';
import '@vitrine/react/styles.css';
import { StrictMode, version } from 'react';
import { createRoot } from 'react-dom/client';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no root.');
createRoot(root).render(
  <StrictMode>
    <p>React {version}</p>
    <EmbeddedReport itemId={1042} title="Sales by region" />
  </StrictMode>,
);
