import { focusedElement } from './focusedElement.ts';

/** Moves the focus to the container if it is on an element inside, which is about to be removed. */
export const keepFocus = (container: HTMLElement | null): void => {
  const focused = container && focusedElement(container);
  if (!focused || focused === container || !container.contains(focused)) return;
  container.tabIndex = -1;
  container.focus({ preventScroll: true });
};
