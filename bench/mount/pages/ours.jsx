import { EmbeddedReport } from '@vitrine/react';
import { createRoot } from 'react-dom/client';
import { definePage, itemId, root } from './page.js';

definePage({ mount: () => createRoot(root()).render(<EmbeddedReport itemId={itemId} title="Sales" />) });
