import type { FrameControl } from './frames.ts';
import { frameHost } from './page.ts';
import type { ReportFrameProps } from './reportState.ts';

/** The focused element in the root of a node. Inside a shadow root, the document only shows the root's host. */
const focusedElement = (node: Node): Element | null =>
  // The root of a node on the page is a document or a shadow root; a detached root has no focus.
  (node.getRootNode() as Partial<DocumentOrShadowRoot>).activeElement ?? null;

/** Moves the focus to the container if it is on an element inside, which is about to be removed. */
export const keepFocus = (container: HTMLElement | null): void => {
  const focused = container && focusedElement(container);
  if (!focused || focused === container || !container.contains(focused)) return;
  container.tabIndex = -1;
  container.focus({ preventScroll: true });
};

/** How long after a key a viewer counts as typing. */
const typingMs = 3_000;

/** How often to look whether a hidden frame has taken the focus from another frame: no event says so. */
const hiddenCheckMs = 100;

/** The focused element, or the one in a frame that this page may read: such a frame forgets it when it loses the focus. */
const innermost = (element: Element | null): Element | null => {
  // Undefined for another element; null for a frame of another origin.
  const { contentDocument } = (element ?? {}) as Partial<HTMLIFrameElement>;
  const inner = contentDocument?.activeElement;
  return inner && inner !== contentDocument.body ? innermost(inner) : element;
};

/**
 * Gives the focus back when a report takes it by itself: while its frame is hidden, and while the viewer types elsewhere.
 * No attribute of a frame prevents that, and the report would receive what the viewer types.
 */
const guardFocus = (frame: HTMLIFrameElement, onUse: () => void) => {
  // React attaches a ref on a page, which has a window.
  const root = frame.getRootNode() as Document | ShadowRoot;
  const view = frame.ownerDocument.defaultView as Window;
  const controller = new AbortController();
  const listening = { capture: true, signal: controller.signal };
  /** The focused element outside the frame. */
  let before: Element | null = null;
  let typedAt = -Infinity;
  let givenBackAt = -Infinity;
  /** Whether the viewer or the page has moved the focus into the frame, which an expired key may hide with the focus in it. */
  let isAccepted = false;

  const isHidden = () => getComputedStyle(frame).visibility === 'hidden';
  const isTaken = () =>
    isHidden() ||
    (performance.now() < typedAt + typingMs &&
      // If the viewer has clicked into the frame, the pointer is over it. Nothing shows where a finger is.
      view.matchMedia?.('(hover: hover)').matches &&
      !frame.matches(':hover'));

  /** A click into a frame of another site fires only `blur` of the window: menus would stay open, and idle timers would run. */
  const tellPage = () => {
    for (const type of ['focus', 'focusin'])
      frame.dispatchEvent(new FocusEvent(type, { bubbles: type === 'focusin', composed: true }));
  };

  /** Looks who has the focus. No event says so when it goes from one frame to another. */
  const check = () => {
    const { activeElement } = root;
    if (activeElement !== frame) {
      before = innermost(activeElement);
      isAccepted = false;
    } else if (isAccepted || !isTaken()) {
      if (!isAccepted) tellPage();
      isAccepted = true;
      onUse();
    } else {
      givenBackAt = performance.now();
      frame.blur();
      (before as HTMLElement | null)?.focus({ preventScroll: true });
    }
  };

  const checkHidden = () => {
    if (!isHidden()) clearInterval(hiddenChecks);
    check();
  };
  const hiddenChecks = setInterval(checkHidden, hiddenCheckMs);
  checkHidden();
  // The frame has the focus after these events.
  for (const type of ['blur', 'focus']) view.addEventListener(type, () => setTimeout(check), listening);
  // A key that writes no text may move the focus. The text of another key may come after the report has taken the focus.
  view.addEventListener('keydown', ({ key }) => void (key[1] && (typedAt = -Infinity)), listening);
  view.addEventListener(
    'beforeinput',
    () => {
      typedAt = performance.now();
      // The window does not see the focus move within a closed shadow root.
      check();
    },
    listening,
  );
  // No event of a report's own script, unless it takes the focus while the browser still gives it back.
  frame.addEventListener(
    'focus',
    () => void (isAccepted ||= performance.now() > givenBackAt + hiddenCheckMs),
    listening,
  );
  const stop = () => {
    clearInterval(hiddenChecks);
    controller.abort();
  };
  return { check: checkHidden, stop };
};

/** Options of {@link createFrameControl}. */
interface FrameControlOptions {
  readonly id: string;
  /** The report's URL. It never changes: navigating an existing frame adds an entry to the page's history. */
  readonly src: string;
  /** Keeps the URL out of the document and of Resource Timing: the frame starts empty and then navigates. */
  readonly isConcealed: boolean;
  /** The report has loaded, or is loading again because the host moved the frame in the page, which empties it. */
  readonly onStatus: (status: 'loaded' | 'loading') => void;
}

/** Whether frames load without cookies, which a cross-origin isolated page needs for a portal that has not opted in. */
const isCredentialless = (): boolean =>
  !!globalThis.crossOriginIsolated && 'credentialless' in HTMLIFrameElement.prototype;

/**
 * Whether the browser denies the page access to a portal in a local network: Chrome then shows its error page, which counts as a
 * loaded frame. Only a page that has no such permission asks the portal.
 */
export const isNetworkDenied = async (src: string): Promise<boolean> => {
  // A policy may forbid the request, which then says nothing about the frame.
  let isForbidden = false;
  const onForbidden = () => void (isForbidden = true);
  try {
    // Not in the types yet. Other browsers reject the name.
    const name = 'local-network-access' as PermissionName;
    if ((await navigator.permissions.query({ name })).state !== 'denied') return false;
    addEventListener('securitypolicyviolation', onForbidden, true);
    const { origin } = new URL(src);
    return await fetch(origin, { mode: 'no-cors', credentials: 'omit' }).then(
      () => false,
      () => navigator.onLine && !isForbidden,
    );
  } catch {
    return false;
  } finally {
    removeEventListener('securitypolicyviolation', onForbidden, true);
  }
};

/** Creates the attributes of an iframe, and its controls. */
export const createFrameControl = (options: FrameControlOptions): FrameControl => {
  const { id, src, isConcealed, onStatus } = options;
  let element: HTMLIFrameElement | null = null;
  let navigated: Window | undefined;
  let guard: ReturnType<typeof guardFocus> | undefined;
  let wasUsed = false;

  /** Navigates a concealed frame: once, unless the browser empties it. */
  const leaveEmptyDocument = (): boolean => {
    const target = isConcealed && element?.contentWindow;
    if (!element || !target || target === navigated) return false;
    navigated = target;
    frameHost.navigate(element, src);
    return true;
  };

  const onLoad: ReportFrameProps['onLoad'] = (event) => {
    const target = event?.currentTarget ?? element;
    if (!target || !frameHost.isEmpty(target)) onStatus('loaded');
    // The load of an empty document says nothing about the report.
    else if (leaveEmptyDocument()) {
      wasUsed = false;
      onStatus('loading');
    }
  };
  const onNativeLoad = () => onLoad();
  const hasFocus = () => !!element && focusedElement(element) === element;

  return {
    props: {
      name: id,
      ...(!isConcealed && { src }),
      // React 18 does not support it as a boolean. React 19 does: it omits an empty text and warns about 'true'.
      ...(isCredentialless() && { credentialless: 'credentialless' as const }),
      ref: (next) => {
        // React detaches the ref while an <Activity> or a Suspense boundary hides the element.
        element = next;
        guard?.stop();
        guard = next ? guardFocus(next, () => void (wasUsed = true)) : undefined;
        // Moving a frame empties and reloads it while React does not receive events.
        if (isConcealed) next?.addEventListener('load', onNativeLoad);
        leaveEmptyDocument();
      },
      onLoad,
    },
    hasFocus,
    isInUse: () => wasUsed || hasFocus() || !!element?.matches(':hover, :fullscreen'),
    checkFocus: () => guard?.check(),
    focus: () => element?.focus({ preventScroll: true }),
  };
};
