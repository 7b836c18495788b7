/**
 * Whether the browser restored the page from its session history, or Firefox reloaded it. Firefox then restores former
 * documents into the frames of the page's HTML, whatever their names and URLs.
 */
export const isRestoredPage = (): boolean =>
  // Test environments may lack these entries.
  globalThis.performance.getEntriesByType?.('navigation').some((entry) => {
    // Entries of this type are always of this class.
    const { type } = entry as PerformanceNavigationTiming;
    return type === 'back_forward' || (type === 'reload' && navigator.userAgent.includes('Firefox'));
  });
