/**
 * Makes an element the box that frames out of sight lie in. Set by script, because a server's HTML has no inline style, and
 * only where the host's own styles leave the element unpositioned.
 */
export const positionRoot = (element: HTMLElement): void => {
  if (getComputedStyle(element).position === 'static') element.style.position = 'relative';
};
