const storageKey = 'demo-person';

/** Notifies the other tabs of this browser of a sign-in or sign-out; they share the session. */
export const notifyOtherTabs = (personId: string): void => window.localStorage.setItem(storageKey, personId);

/** Calls back after a sign-in or sign-out in another tab; returns an unsubscribe function. */
export const onOtherTabs = (listener: () => void): (() => void) => {
  const onStorage = (event: StorageEvent) => {
    if (event.key === storageKey) listener();
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
};
