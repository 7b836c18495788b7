import { reportUrl } from '@vitrine/contract';
import type { EmbedError } from '../errors/embedError.ts';
import type { HeldKey } from '../life/keyKeeper.ts';
import type { ReportFrame } from './reportState.ts';

/** One iframe with one key, from its first moment to its last. */
export interface LivingFrame extends ReportFrame {
  readonly held: HeldKey;
  element?: HTMLIFrameElement | null;
  isLoaded?: boolean;
  /** Says that the page's policy keeps it from showing anything. */
  blocked?: EmbedError;
  /** From here on a frame that has not loaded is slow, on the keeper's clock. */
  slowAt: number;
}

let count = 0;

/**
 * Creates a frame. It never gets another address: a living frame that navigates adds an entry to the page's history.
 * A concealed key stays out of the document and of Resource Timing: its frame starts empty and is sent on its way.
 */
export const createFrame = (
  held: HeldKey,
  isConcealed: boolean,
  onLoad: (frame: LivingFrame) => void,
): LivingFrame => {
  const src = reportUrl(held.tenantUrl, held.itemId, held.key);
  let sent: HTMLIFrameElement | undefined;
  const frame: LivingFrame = {
    id: ++count,
    held,
    slowAt: 0,
    props: {
      ...(!isConcealed && { src }),
      ref: (element) => {
        frame.element = element;
        if (!isConcealed || !element || element === sent) return;
        // StrictMode takes the element away and brings it back: it is sent once all the same.
        sent = element;
        element.contentWindow?.location.replace(src);
      },
      onLoad: () => onLoad(frame),
    },
  };
  return frame;
};

/** Whether a frame still shows its first, empty document, whose `load` says nothing about the report. That of another origin is not to be had. */
export const isBlank = ({ element }: LivingFrame): boolean => element?.contentDocument?.URL === 'about:blank';
