/**
 * Code of every page. A page passes `mount`, and optionally `prepare` for work before it; the bench calls both,
 * and times the mount.
 */
const settings = JSON.parse(document.getElementById('settings').textContent);

export const { tenantUrl, itemId, dehydratedState } = settings;

export const root = () => document.getElementById('root');

/** A key request by hand, as in a host app. */
export const fetchKey = async () => {
  const response = await fetch('/api/embed/keys', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
    body: JSON.stringify({ itemId }),
  });
  if (!response.ok) throw new Error(`No key: ${response.status}`);
  return response.json();
};

export const addressOf = (key) => `${key.tenantUrl}/report/${key.itemId}?ev=${encodeURIComponent(key.key)}`;

export const definePage = ({ mount, prepare = async () => {} }) => {
  window.benchPage = {
    prepare,
    mount: () => {
      const startedAt = performance.now();
      mount();
      return startedAt;
    },
  };
};
