import type { Environment } from './environment.ts';

/** The clock, timers and events of the page. */
export const browserEnvironment: Environment = {
  monotonicNow: () => performance.now(),
  wallNow: () => Date.now(),
  random: () => Math.random(),
  setTimer: (run, delayMs) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  listen: (type, listener) => {
    // On the window in the capture phase, where the document's own events pass too.
    addEventListener(type, listener, true);
    return () => removeEventListener(type, listener, true);
  },
  onNear: (element, listener) => {
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && listener(),
      { rootMargin: '50%' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  },
  isVisible: () => !document.hidden,
  // Unknown outside of browsers.
  isOnline: () => navigator.onLine ?? true,
};
