import { useSyncExternalStore } from 'react';

const subscribe = (onChange: () => void) => {
  window.addEventListener('popstate', onChange);
  return () => window.removeEventListener('popstate', onChange);
};

const pattern = /^\/reports\/(\d+)$/;
const reportInAddress = (): number | undefined => {
  const digits = pattern.exec(window.location.pathname)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** The report in the URL, so that reload, Back and bookmarks work. */
export const useReportInAddress = () => useSyncExternalStore(subscribe, reportInAddress);

export const addressOf = (itemId: number): string => `/reports/${itemId}`;

/** Like a link: one to the current page adds no history entry. */
export const goTo = (itemId: number): void => {
  if (itemId === reportInAddress()) return;
  window.history.pushState(null, '', addressOf(itemId));
  window.dispatchEvent(new PopStateEvent('popstate'));
};
