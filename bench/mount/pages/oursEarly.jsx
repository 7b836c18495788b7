import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { createRoot } from 'react-dom/client';
import { definePage, itemId, root } from './page.js';

/** An inline script of the page requests the key while this script downloads. */
const takeEarlyKey = () => {
  const { earlyKey } = window;
  window.earlyKey = undefined;
  return earlyKey;
};

definePage({
  mount: () =>
    createRoot(root()).render(
      <EmbedProvider fetch={(url, init) => takeEarlyKey() ?? fetch(url, init)}>
        <EmbeddedReport itemId={itemId} title="Sales" />
      </EmbedProvider>,
    ),
});
