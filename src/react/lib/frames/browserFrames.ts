import type { FrameEnvironment } from '../session/environment.ts';

/** How browsers handle frames. */
export const browserFrames: FrameEnvironment = {
  navigate: ({ contentWindow }, src) => {
    // WebKit lists the first navigation of an empty frame in Resource Timing. This one holds no key.
    contentWindow?.location.replace('about:blank#');
    contentWindow?.location.replace(src);
  },
  // A page sees no document of another origin.
  isEmpty: ({ contentDocument }) => !!contentDocument?.URL.startsWith('about:blank'),
};
