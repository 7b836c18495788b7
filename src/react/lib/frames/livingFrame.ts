import { reportUrl } from '@vitrine/contract';
import type { HeldKey } from '../life/keyKeeper.ts';
import type { ReportFrame } from './reportState.ts';

/** One iframe with one key, from its first moment to its last. */
export interface LivingFrame extends ReportFrame {
  readonly held: HeldKey;
  /** From here on a frame that has not loaded is slow, on the pulse's clock. */
  readonly slowAt: number;
  element: HTMLIFrameElement | null;
  isLoaded: boolean;
  isBlocked: boolean;
}

/** What a frame is made of. */
export interface LivingFrameParts {
  readonly held: HeldKey;
  readonly slowAt: number;
  readonly isConcealed: boolean;
  readonly onLoad: () => void;
}

let count = 0;

/**
 * Creates a frame. It never gets another address: a living frame that navigates adds an entry to the page's history.
 * A concealed key stays out of the document and of Resource Timing: its frame starts empty and is sent on its way.
 */
export const createFrame = ({ held, slowAt, isConcealed, onLoad }: LivingFrameParts): LivingFrame => {
  const { tenantUrl, itemId, key } = held.value;
  const src = reportUrl(tenantUrl, itemId, key);
  let sent: HTMLIFrameElement | undefined;
  const frame: LivingFrame = {
    id: ++count,
    held,
    slowAt,
    element: null,
    isLoaded: false,
    isBlocked: false,
    props: {
      ...(!isConcealed && { src }),
      ref: (element) => {
        frame.element = element;
        if (!isConcealed || !element || element === sent) return;
        // StrictMode takes the element away and brings it back: it is sent once all the same.
        sent = element;
        element.contentWindow?.location.replace(src);
      },
      onLoad: () => {
        if (isConcealed && isBlank(frame.element)) return;
        frame.isLoaded = true;
        onLoad();
      },
    },
  };
  return frame;
};

/** Whether a frame still shows its first, empty document, whose `load` says nothing about the report. */
const isBlank = (element: HTMLIFrameElement | null): boolean => {
  try {
    return element?.contentWindow?.location.href === 'about:blank';
  } catch {
    // Another origin refuses to say: the report.
    return false;
  }
};
