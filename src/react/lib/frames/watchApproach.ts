import type { Environment } from '../life/environment.ts';

/** Calls back when an element comes near the viewport; returns the end of the watch. */
export const watchApproach = (
  { IntersectionObserver }: Environment,
  element: Element,
  onNear: () => void,
): (() => void) => {
  const observer = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onNear(),
    { rootMargin: '50%' },
  );
  observer.observe(element);
  return () => observer.disconnect();
};
