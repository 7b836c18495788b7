import { frameHost } from '../page.ts';

/** Pages for frames whose portal does not exist. */
export interface FakePages {
  /** Simulates that every frame has loaded. */
  readonly load: () => void;
  /** Stops filling frames. */
  readonly close: () => void;
}

/** jsdom and happy-dom do not load frames, and report an error when one navigates. */
const canLoadFrames = () => !/jsdom|happydom/i.test(navigator.userAgent);

const itemIdIn = (src: string) => Number(/report\/(\d+)/.exec(src)?.[1]);

const browserHost = { ...frameHost };

/**
 * Creates {@link FakePages}, which replace those of an earlier call. Without a page, frames stay unchanged until a test
 * calls `load`.
 */
export const createFakePages = (
  frames: () => readonly HTMLIFrameElement[],
  page?: (itemId: number) => string,
): FakePages => {
  /** Frames that a test has marked as loaded. */
  const loaded = new WeakSet<HTMLIFrameElement>();
  const isEmpty = (frame: HTMLIFrameElement) => !loaded.has(frame) && browserHost.isEmpty(frame);
  const load = () => {
    for (const frame of frames()) {
      loaded.add(frame);
      frame.dispatchEvent(new Event('load'));
    }
  };
  if (!page) {
    const navigate = (frame: HTMLIFrameElement, src: string) => {
      if (canLoadFrames()) browserHost.navigate(frame, src);
    };
    Object.assign(frameHost, { navigate, isEmpty });
    return { load, close: () => void Object.assign(frameHost, browserHost) };
  }

  /** URLs of concealed frames. */
  const addresses = new WeakMap<HTMLIFrameElement, string>();
  const fill = (frame: HTMLIFrameElement) => {
    const src = addresses.get(frame) ?? frame.getAttribute('src');
    if (src) frame.srcdoc = page(itemIdIn(src));
  };
  const fillNew = () => {
    for (const frame of frames()) if (!frame.srcdoc) fill(frame);
  };
  // Sometimes the browser finishes loading a new frame's URL, where no server responds, after its page was set: it then
  // shows its own error page, which no script can read. Hide that load event from the component.
  const fillAgain = (event: Event) => {
    const frame = frames().find((one) => one === event.target);
    if (!event.isTrusted || !frame || frame.contentDocument) return;
    event.stopImmediatePropagation();
    fill(frame);
  };
  const observer = new MutationObserver(fillNew);
  observer.observe(document, { childList: true, subtree: true });
  document.addEventListener('load', fillAgain, true);
  const navigate = (frame: HTMLIFrameElement, src: string) => {
    addresses.set(frame, src);
    fill(frame);
  };
  Object.assign(frameHost, { navigate, isEmpty });
  return {
    load,
    close: () => {
      observer.disconnect();
      document.removeEventListener('load', fillAgain, true);
      Object.assign(frameHost, browserHost);
    },
  };
};
