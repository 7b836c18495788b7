import { useQuery } from '@tanstack/react-query';
import type { EmbedKey } from '@vitrine/contract';
import { embedKeyOptions } from '@vitrine/react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { SubjectProps } from './handMadeReport.tsx';

/**
 * When a hand-written report schedules its renewal. Each variant has been shipped, and each omits or repeats it in some
 * order.
 */
export type Habit = 'at mount' | 'with the response' | 'per report';

/** The control: a hand-written report on top of a cache, which always follows the cache. */
export const createQueryReport = (habit: Habit) =>
  function QueryReport({ provider, queryClient, itemId = 1042, refreshPolicy }: SubjectProps): ReactNode {
    const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
    const disarm = () => clearTimeout(timer.current);
    const arm = ({ lifetimeMs }: EmbedKey) => {
      if (refreshPolicy !== 'off') timer.current = setTimeout(() => void refetch(), lifetimeMs * 0.8);
    };

    const query = embedKeyOptions(itemId, provider);
    const ask = async (...context: Parameters<Exclude<typeof query.queryFn, undefined>>) => {
      const key = await query.queryFn?.(...context);
      if (key === undefined) throw new Error('There is no key.');
      if (habit === 'with the response') {
        disarm();
        arm(key);
      }
      return key;
    };
    const { data: key, refetch } = useQuery({ ...query, queryFn: ask }, queryClient);

    useEffect(() => {
      if (habit === 'at mount' && key) arm(key);
      return disarm;
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- one of the faults
    }, []);
    useEffect(() => {
      if (habit === 'per report' && key) arm(key);
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- as above
    }, [key]);

    if (!key) return null;
    return (
      <iframe title="Sales" src={`${key.tenantUrl}/report/${itemId}?ev=${encodeURIComponent(key.key)}`} />
    );
  };
