import '@vitrine/react/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Host } from './Host.tsx';

createRoot(document.querySelector('#root') ?? document.body).render(
  <StrictMode>
    <Host isHeadless={location.search === '?hook'} />
  </StrictMode>,
);
