import type { Environment } from '../session/environment.ts';
import { browserFrames } from './browserFrames.ts';
import { focusedElement } from './focusedElement.ts';
import type { ReportFrameProps } from './reportState.ts';

/** One iframe in the document. */
export interface FrameElement {
  readonly props: ReportFrameProps;
  /** Whether the viewer's focus is in the frame. */
  readonly hasFocus: () => boolean;
  readonly focus: () => void;
}

/** What a frame element is made of. */
export interface FrameElementOptions {
  readonly id: string;
  /** The report's address. The frame never gets another: a living frame that navigates adds an entry to the page's history. */
  readonly src: string;
  /** Keeps the address out of the document and of Resource Timing: the frame starts empty and is then sent on its way. */
  readonly isConcealed: boolean;
  readonly environment: Environment;
  /** The report has loaded; or it loads again, because the host moved the frame in its page, which empties it. */
  readonly onStatus: (status: 'loaded' | 'loading') => void;
}

/** Whether frames load without cookies: only so can a cross-origin isolated page show a portal that has not opted in. */
export const isCredentialless = ({ crossOriginIsolated }: Environment): boolean =>
  !!crossOriginIsolated && 'credentialless' in HTMLIFrameElement.prototype;

/** Creates the attributes of an iframe, and what the page does with it. */
export const createFrameElement = (options: FrameElementOptions): FrameElement => {
  const { id, src, isConcealed, environment, onStatus } = options;
  const { navigate, isEmpty } = environment.iframes ?? browserFrames;
  let element: HTMLIFrameElement | null = null;
  let navigated: Window | undefined;

  /** Sends a concealed frame on its way: once, unless the browser has emptied it. */
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
      // React 18 does not know it as a boolean. React 19 does: it removes it for an empty text, and complains about 'true'.
      ...(isCredentialless(environment) && { credentialless: 'credentialless' as const }),
      ref: (next) => {
        // React takes the element away while an <Activity> or a Suspense boundary hides it.
        element = next;
        // A frame that React moves is emptied, and loads, while React hears no events.
        if (isConcealed) next?.addEventListener('load', onNativeLoad);
        leaveEmptyDocument();
      },
      onLoad,
    },
    hasFocus: () => !!element && focusedElement(element) === element,
    focus: () => element?.focus({ preventScroll: true }),
  };
};
