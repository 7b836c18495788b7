import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Host } from './Host.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no root.');
createRoot(root).render(
  <StrictMode>
    <Host wish={location.search.slice(1)} />
  </StrictMode>,
);
