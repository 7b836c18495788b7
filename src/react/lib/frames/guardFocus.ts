/** How long after a key a viewer counts as typing. */
const typingMs = 3_000;

/** Keys after which the browser or the page may move the focus. */
const movingKeys = ['Tab', 'Enter', ' '];

/** Guards the focus against one frame. */
export interface FocusGuard {
  /** Looks who has the focus. No event says so when it goes from one frame to another. */
  readonly check: () => void;
  readonly stop: () => void;
}

/**
 * Gives the focus back when a report takes it by itself: while its frame is hidden, and while the viewer types elsewhere.
 * No attribute of a frame prevents that, and the report would receive what the viewer types.
 */
export const guardFocus = (frame: HTMLIFrameElement): FocusGuard => {
  // React attaches a ref on a page, which has a window.
  const root = frame.getRootNode() as Document | ShadowRoot;
  const view = frame.ownerDocument.defaultView as Window;
  const controller = new AbortController();
  const listening = { capture: true, signal: controller.signal };
  /** The focused element outside the frame. */
  let before: Element | null = null;
  let typedAt = -Infinity;
  /** Whether the viewer or the page has moved the focus into the frame, which an expired key may hide with the focus in it. */
  let isAccepted = false;

  const isTaken = () =>
    getComputedStyle(frame).visibility === 'hidden' ||
    (performance.now() < typedAt + typingMs &&
      // If the viewer has clicked into the frame, the pointer is over it. Nothing shows where a finger is.
      view.matchMedia?.('(hover: hover)').matches &&
      !frame.matches(':hover'));

  const check = () => {
    const { activeElement } = root;
    if (activeElement !== frame) {
      before = activeElement;
      isAccepted = false;
    } else if (isAccepted || !isTaken()) isAccepted = true;
    else {
      frame.blur();
      (before as HTMLElement | null)?.focus({ preventScroll: true });
    }
  };

  const onBlur = ({ target }: Event) => {
    // Otherwise the window, or in Firefox the document.
    if ((target as Element).tagName && target !== frame) before = target as Element;
    // The frame has the focus after these events.
    setTimeout(check);
  };

  check();
  view.addEventListener('blur', onBlur, listening);
  // The window does not see the elements in a closed shadow root.
  root.addEventListener('blur', onBlur, listening);
  view.addEventListener(
    'keydown',
    ({ key }) => {
      typedAt = movingKeys.includes(key) ? -Infinity : performance.now();
    },
    listening,
  );
  // No event of a report's own script.
  frame.addEventListener('focus', () => void (isAccepted = true), listening);
  return { check, stop: () => controller.abort() };
};
