import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { addressOf, definePage, fetchKey, itemId, root, tenantUrl } from './page.js';

const ByHand = ({ isWarming }) => {
  const [src, setSrc] = useState();
  useEffect(() => void fetchKey().then((key) => setSrc(addressOf(key))), []);
  return (
    <>
      {isWarming && src === undefined && <iframe title="Warm-up" src={`${tenantUrl}/warm`} hidden />}
      {src !== undefined && <iframe title={`Report ${itemId}`} src={src} />}
    </>
  );
};

const ways = {
  nothing: () => <ByHand />,
  preconnect: () => <ByHand />, // the HTML has the link
  'hidden frame': () => <ByHand isWarming />,
  'ours, tenant unknown': () => <EmbeddedReport itemId={itemId} title="Sales" />,
  'ours, tenant known': () => (
    <EmbedProvider tenantUrl={tenantUrl}>
      <EmbeddedReport itemId={itemId} title="Sales" />
    </EmbedProvider>
  ),
};

/** When the report's frame got its URL and when it loaded, on the page's clock. */
const seen = { src: undefined, loaded: undefined };
const isReport = (element) => element instanceof HTMLIFrameElement && element.src.includes('/report/');
new MutationObserver(() => {
  if (seen.src === undefined && [...document.querySelectorAll('iframe')].some(isReport))
    seen.src = performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['src'] });
document.addEventListener(
  'load',
  ({ target }) => {
    if (seen.loaded === undefined && isReport(target)) seen.loaded = performance.now();
  },
  true,
);
window.benchSeen = seen;

definePage({ mount: () => createRoot(root()).render(ways[window.benchWay]()) });
