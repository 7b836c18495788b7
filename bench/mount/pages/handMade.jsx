import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { addressOf, definePage, fetchKey, itemId, root } from './page.js';

/** Minimal code: fetch, then an iframe. No refresh, no errors, no loading state. */
const Report = () => {
  const [src, setSrc] = useState();
  useEffect(() => {
    let isCurrent = true;
    void fetchKey().then((key) => {
      if (isCurrent) setSrc(addressOf(key));
    });
    return () => {
      isCurrent = false;
    };
  }, []);
  return src === undefined ? null : <iframe title={`Report ${itemId}`} src={src} width="100%" height="800" />;
};

definePage({ mount: () => createRoot(root()).render(<Report />) });
