/**
 * Whether the browser restored the page from its session history. Firefox then restores former documents into the
 * frames of the page's HTML, whatever their names and URLs.
 */
export const isRestoredPage = (): boolean =>
  // Test environments may lack these entries.
  globalThis.performance.getEntriesByType?.('navigation').some(
    // Entries of this type are always of this class.
    (entry) => (entry as PerformanceNavigationTiming).type === 'back_forward',
  );
