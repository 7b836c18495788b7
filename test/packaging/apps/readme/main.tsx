import { createRoot } from 'react-dom/client';
import { SalesPage } from './SalesPage.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no root.');
createRoot(root).render(<SalesPage />);
