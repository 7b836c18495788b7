/** For the `ref` of what scrolls where it is too wide: the keyboard reaches it while it does, and passes it by otherwise. */
export const scrollRegion = (element: HTMLElement | null) => {
  if (element === null) return undefined;
  const observer = new ResizeObserver(() => {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  observer.observe(element);
  return () => observer.disconnect();
};
