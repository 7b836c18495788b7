/** Ref for an element that may scroll: makes it focusable only while it overflows. */
export const scrollRegion = (element: HTMLElement | null) => {
  if (element === null) return undefined;
  const observer = new ResizeObserver(() => {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  observer.observe(element);
  return () => observer.disconnect();
};
