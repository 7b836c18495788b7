import { type ReactNode, useEffect, useState } from 'react';
import { Report } from './Report.tsx';

const itemIds = [1042, 1044];

/** Two reports with their own URLs, as with a router. */
export const RoutesView = (): ReactNode => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const itemId = Number(hash.slice(1) || itemIds[0]);
  return (
    <main>
      {itemIds.map((id) => (
        <button
          key={id}
          id={`open-${id}`}
          type="button"
          onClick={() => {
            history.pushState(null, '', `#${id}`);
            setHash(location.hash);
          }}
        >
          Report {id}
        </button>
      ))}
      <Report itemId={itemId} title={`Report ${itemId}`} />
    </main>
  );
};
