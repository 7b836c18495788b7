import type { Environment } from '../session/environment.ts';

/** Calls back once when an element comes near the viewport; returns a function that cancels it. */
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
