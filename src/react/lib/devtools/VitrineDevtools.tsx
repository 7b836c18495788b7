import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';

const DevtoolsPanel = lazy(async () => ({ default: (await import('./DevtoolsPanel.tsx')).DevtoolsPanel }));

const subscribe = () => () => {};

/**
 * A button in the corner of the page that opens a panel with every report on the page. Its code is loaded when it is rendered.
 *
 * @example
 * ```tsx
 * import { VitrineDevtools } from '@vitrine/react/devtools';
 *
 * export const Tools = () => (import.meta.env.DEV ? <VitrineDevtools /> : undefined);
 * ```
 */
export const VitrineDevtools = (): ReactNode => {
  const isBrowser = useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
  return isBrowser ? (
    <Suspense fallback={null}>
      <DevtoolsPanel />
    </Suspense>
  ) : null;
};
