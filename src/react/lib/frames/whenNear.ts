import type { Environment } from '../session/environment.ts';

/** Calls back once when an element nears the viewport; returns a cancel function. */
export const whenNear = (
  element: Element,
  { IntersectionObserver }: Environment,
  onNear: () => void,
): (() => void) => {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      onNear();
    },
    { rootMargin: '50%' },
  );
  observer.observe(element);
  return () => observer.disconnect();
};
