import { browserFrames } from '../frames/browserFrames.ts';
import type { FrameEnvironment } from '../session/environment.ts';

/** Pages for frames whose portal does not exist. */
export interface FakePages extends FrameEnvironment {
  /** Has the report of every frame loaded. */
  readonly load: () => void;
  /** Stops filling frames. */
  readonly close: () => void;
}

/** These load no frames, and complain when a frame is sent somewhere. */
const canLoadFrames = () => !/jsdom|happydom/i.test(navigator.userAgent);

const itemIdIn = (src: string) => Number(/report\/(\d+)/.exec(src)?.[1]);

/** Creates {@link FakePages}. Without a page, frames stay as they are until a test says that they have loaded. */
export const createFakePages = (
  frames: () => readonly HTMLIFrameElement[],
  page?: (itemId: number) => string,
): FakePages => {
  /** Frames whose report has loaded because a test said so. */
  const loaded = new WeakSet<HTMLIFrameElement>();
  const isEmpty = (frame: HTMLIFrameElement) => !loaded.has(frame) && browserFrames.isEmpty(frame);
  const load = () => {
    for (const frame of frames()) {
      loaded.add(frame);
      frame.dispatchEvent(new Event('load'));
    }
  };
  if (!page) {
    const navigate: FrameEnvironment['navigate'] = (frame, src) => {
      if (canLoadFrames()) browserFrames.navigate(frame, src);
    };
    return { navigate, isEmpty, load, close: () => {} };
  }

  /** Where concealed frames were sent. */
  const addresses = new WeakMap<HTMLIFrameElement, string>();
  const fill = (frame: HTMLIFrameElement) => {
    const src = addresses.get(frame) ?? frame.getAttribute('src');
    if (src) frame.srcdoc = page(itemIdIn(src));
  };
  const fillNew = () => {
    for (const frame of frames()) if (!frame.srcdoc) fill(frame);
  };
  // Now and then the browser is done with the address of a new frame, where nobody answers, after its page was set: what
  // has loaded is the browser's own error page, which no script can read. The component does not hear of that one.
  const fillAgain = (event: Event) => {
    const frame = frames().find((one) => one === event.target);
    if (!event.isTrusted || !frame || frame.contentDocument) return;
    event.stopImmediatePropagation();
    fill(frame);
  };
  const observer = new MutationObserver(fillNew);
  observer.observe(document, { childList: true, subtree: true });
  document.addEventListener('load', fillAgain, true);
  return {
    navigate: (frame, src) => {
      addresses.set(frame, src);
      fill(frame);
    },
    isEmpty,
    load,
    close: () => {
      observer.disconnect();
      document.removeEventListener('load', fillAgain, true);
    },
  };
};
