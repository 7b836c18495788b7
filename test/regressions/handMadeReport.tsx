import type { QueryClient } from '@tanstack/react-query';
import type { EmbedKey } from '@vitrine/contract';
import type { EmbeddedReportHandle, RefreshPolicy } from '@vitrine/react';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useState } from 'react';

/** What the tests of this folder pass to a report, ours or a control. */
export interface SubjectProps {
  readonly provider: {
    readonly endpoint: string;
    readonly fetch: typeof fetch;
    readonly headers?: (() => Promise<Record<string, string>>) | undefined;
  };
  readonly queryClient: QueryClient;
  readonly itemId?: number;
  readonly refreshPolicy?: RefreshPolicy;
  readonly lazy?: boolean;
  readonly handle?: Ref<EmbeddedReportHandle>;
  /** Receives the prefetch function. */
  readonly prefetch?: Ref<(itemId: number) => Promise<void>>;
  readonly onLoad?: (() => void) | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

const itemOfTheChecks = 1042;

/**
 * The control: a hand-written report with nothing but "fetch a key, set a timer, set `src`". Each line of it has been a
 * bug in some project; the tests of this folder must detect it.
 */
export const HandMadeReport = (props: SubjectProps): ReactNode => {
  const { provider, handle, itemId = itemOfTheChecks, onLoad, onError } = props;
  const [key, setKey] = useState<EmbedKey>();

  const ask = async (): Promise<void> => {
    try {
      const response = await provider.fetch(`${provider.endpoint}/keys`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
        body: JSON.stringify({ itemId }),
      });
      if (!response.ok) throw new Error(`The endpoint answered ${response.status}.`);
      // The backend of the tests returns nothing else.
      const next = (await response.json()) as EmbedKey;
      setKey(next);
      setTimeout(askQuietly, next.lifetimeMs);
    } catch (error) {
      onError?.(error);
    }
  };

  /** Errors are silent. */
  const askQuietly = () => ask().catch(() => {});

  useImperativeHandle(handle, () => ({
    refresh: askQuietly,
    retry: askQuietly,
    reload: askQuietly,
    requestFullscreen: async () => undefined,
    element: null,
  }));
  useEffect(() => {
    void askQuietly();
    addEventListener('beforeunload', () => setKey(undefined));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- one of the faults
  }, [itemId, onLoad]);

  if (!key) return null;
  const src = `${key.tenantUrl}/report/${itemId}?ev=${encodeURIComponent(key.key)}`;
  return <iframe title="Sales" src={src} onLoad={onLoad} />;
};
