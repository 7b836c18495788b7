const storageKey = 'demo-person';

/** Tells the other tabs of this browser who is signed in now; the session is theirs too. */
export const tellOtherTabs = (personId: string): void => window.localStorage.setItem(storageKey, personId);

/** Calls back when another tab has signed somebody in or out; returns the end of that. */
export const onOtherTabs = (listener: () => void): (() => void) => {
  const hear = (event: StorageEvent) => {
    if (event.key === storageKey) listener();
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
};
