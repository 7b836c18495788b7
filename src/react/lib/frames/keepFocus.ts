import { focusedElement } from './focusedElement.ts';

/** Moves the focus from an element inside a container that is about to go away to the container itself. */
export const keepFocus = (container: HTMLElement | null): void => {
  const focused = container && focusedElement(container);
  if (!focused || focused === container || !container.contains(focused)) return;
  container.tabIndex = -1;
  container.focus({ preventScroll: true });
};
