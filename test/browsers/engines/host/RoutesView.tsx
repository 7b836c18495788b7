import type { ReactNode } from 'react';
import { HashRouter, Link, Route, Routes, useParams } from 'react-router';
import { Report } from './Report.tsx';

const RoutedReport = () => {
  const { itemId = '1042' } = useParams();
  return <Report itemId={Number(itemId)} title={`Report ${itemId}`} />;
};

/** Two reports with their own URLs. */
export const RoutesView = (): ReactNode => (
  <HashRouter>
    <Link id="open-1044" to="/1044">
      Report 1044
    </Link>
    <Routes>
      <Route path="/:itemId?" element={<RoutedReport />} />
    </Routes>
  </HashRouter>
);
