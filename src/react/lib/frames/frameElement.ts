import type { FrameEnvironment } from '../session/environment.ts';
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
  /** Loads the report without cookies, so that a cross-origin isolated page may show it. */
  readonly isCredentialless: boolean;
  readonly frames: FrameEnvironment;
  readonly onLoaded: () => void;
  /** The host moved the frame in its page, which empties it. */
  readonly onEmptied: () => void;
}

/** Creates the attributes of an iframe, and what the page does with it. */
export const createFrameElement = (options: FrameElementOptions): FrameElement => {
  const { id, src, isConcealed, isCredentialless, frames, onLoaded, onEmptied } = options;
  let element: HTMLIFrameElement | null = null;
  let navigated: Window | undefined;

  /** Sends a concealed frame on its way: once, unless the browser has emptied it. */
  const navigate = (): boolean => {
    const target = element?.contentWindow;
    if (!isConcealed || !element || !target || target === navigated) return false;
    navigated = target;
    frames.navigate(element, src);
    return true;
  };

  return {
    props: {
      name: id,
      ...(!isConcealed && { src }),
      // React 19 removes the attribute for an empty text, and React 18 does not know it as a boolean.
      ...(isCredentialless && { credentialless: 'true' as const }),
      ref: (next) => {
        // React takes the element away while an <Activity> or a Suspense boundary hides it.
        element = next;
        navigate();
      },
      onLoad: (event) => {
        const target = event?.currentTarget ?? element;
        if (!target || !frames.isEmpty(target)) onLoaded();
        // The load of an empty document says nothing about the report.
        else if (navigate()) onEmptied();
      },
    },
    hasFocus: () => !!element && focusedElement(element) === element,
    focus: () => element?.focus({ preventScroll: true }),
  };
};
