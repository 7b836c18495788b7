/**
 * Whether the browser built the page from its session history. Firefox then puts the frames' former documents into the frames of
 * the page's HTML, whatever their names and addresses.
 */
export const isRestoredPage = (): boolean =>
  // Environments without a browser have no such entries.
  globalThis.performance.getEntriesByType?.('navigation').some(
    // Entries of this type are of this class.
    (entry) => (entry as PerformanceNavigationTiming).type === 'back_forward',
  );
