import type { Environment } from '../session/environment.ts';
import { browserFrames } from './browserFrames.ts';
import { focusedElement } from './focusedElement.ts';
import { type FocusGuard, guardFocus } from './guardFocus.ts';
import type { ReportFrameProps } from './reportState.ts';

/** One iframe in the document. */
export interface FrameElement {
  readonly props: ReportFrameProps;
  /** Whether the viewer's focus is in the frame. */
  readonly hasFocus: () => boolean;
  /** Gives the focus back if the report has taken it by itself. */
  readonly checkFocus: () => void;
  readonly focus: () => void;
}

/** Options of {@link createFrameElement}. */
export interface FrameElementOptions {
  readonly id: string;
  /** The report's URL. It never changes: navigating an existing frame adds an entry to the page's history. */
  readonly src: string;
  /** Keeps the URL out of the document and of Resource Timing: the frame starts empty and then navigates. */
  readonly isConcealed: boolean;
  readonly environment: Environment;
  /** The report has loaded, or is loading again because the host moved the frame in the page, which empties it. */
  readonly onStatus: (status: 'loaded' | 'loading') => void;
}

/** Whether frames load without cookies, which a cross-origin isolated page needs for a portal that has not opted in. */
export const isCredentialless = ({ crossOriginIsolated }: Environment): boolean =>
  !!crossOriginIsolated && 'credentialless' in HTMLIFrameElement.prototype;

/** Creates the attributes of an iframe, and its controls. */
export const createFrameElement = (options: FrameElementOptions): FrameElement => {
  const { id, src, isConcealed, environment, onStatus } = options;
  const { navigate, isEmpty } = environment.iframes ?? browserFrames;
  let element: HTMLIFrameElement | null = null;
  let navigated: Window | undefined;
  let guard: FocusGuard | undefined;

  /** Navigates a concealed frame: once, unless the browser empties it. */
  const leaveEmptyDocument = (): boolean => {
    const target = isConcealed && element?.contentWindow;
    if (!element || !target || target === navigated) return false;
    navigated = target;
    navigate(element, src);
    return true;
  };

  const onLoad: ReportFrameProps['onLoad'] = (event) => {
    const target = event?.currentTarget ?? element;
    if (!target || !isEmpty(target)) onStatus('loaded');
    // The load of an empty document says nothing about the report.
    else if (leaveEmptyDocument()) onStatus('loading');
  };
  const onNativeLoad = () => onLoad();

  return {
    props: {
      name: id,
      ...(!isConcealed && { src }),
      // React 18 does not support it as a boolean. React 19 does: it omits an empty text and warns about 'true'.
      ...(isCredentialless(environment) && { credentialless: 'credentialless' as const }),
      ref: (next) => {
        // React detaches the ref while an <Activity> or a Suspense boundary hides the element.
        element = next;
        guard?.stop();
        guard = next ? guardFocus(next) : undefined;
        // Moving a frame empties and reloads it while React does not receive events.
        if (isConcealed) next?.addEventListener('load', onNativeLoad);
        leaveEmptyDocument();
      },
      onLoad,
    },
    hasFocus: () => !!element && focusedElement(element) === element,
    checkFocus: () => guard?.check(),
    focus: () => element?.focus({ preventScroll: true }),
  };
};
