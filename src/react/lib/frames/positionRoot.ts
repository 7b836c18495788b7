/**
 * Makes an element the containing block of the note over its report. Done by script, because a server's HTML has no inline
 * styles, and only if the host's styles leave the element unpositioned.
 */
export const positionRoot = (element: HTMLElement): void => {
  if (getComputedStyle(element).position === 'static') element.style.position = 'relative';
};
