import type { EmbedKey } from '@vitrine/contract';
import { type ReactNode, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { SubjectProps } from './handMadeReport.tsx';

/** The control: a hand-written report whose requests, including prefetches, wait for one lock. */
export const LockedReport = ({ provider, itemId = 1042, prefetch }: SubjectProps): ReactNode => {
  const [key, setKey] = useState<EmbedKey>();
  const lock = useRef<Promise<unknown>>(Promise.resolve());

  const ask = (item: number): Promise<EmbedKey> => {
    const answer = lock.current.then(async () => {
      const headers = { ...(await provider.headers?.()), 'content-type': 'application/json' };
      const body = JSON.stringify({ itemId: item });
      const response = await provider.fetch(`${provider.endpoint}/keys`, { method: 'POST', headers, body });
      // The backend of the tests returns nothing else.
      return (await response.json()) as EmbedKey;
    });
    lock.current = answer;
    return answer;
  };

  useImperativeHandle(prefetch, () => async (item) => void (await ask(item)));
  useEffect(() => {
    void ask(itemId).then(setKey);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the lock is what this is about
  }, [itemId]);

  if (!key) return null;
  return <iframe title="Sales" src={`${key.tenantUrl}/report/${itemId}?ev=${encodeURIComponent(key.key)}`} />;
};
