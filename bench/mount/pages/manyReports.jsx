import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { batchKeys } from '@vitrine/react/batch';
import { createRoot } from 'react-dom/client';
import { definePage, root } from './page.js';

const params = new URLSearchParams(location.search);
const itemIds = Array.from({ length: Number(params.get('reports')) }, (_, index) => index + 1);
const options = params.has('batched') ? { fetch: batchKeys() } : {};

/** When each report's frame loaded, on the page's clock. */
window.benchLoads = [];
document.addEventListener(
  'load',
  ({ target }) => {
    if (target instanceof HTMLIFrameElement && target.src.includes('/report/'))
      window.benchLoads.push(performance.now());
  },
  true,
);

definePage({
  mount: () =>
    createRoot(root()).render(
      <EmbedProvider {...options}>
        {itemIds.map((itemId) => (
          <EmbeddedReport key={itemId} itemId={itemId} title={`Report ${itemId}`} />
        ))}
      </EmbedProvider>,
    ),
});
