import type { FrameEnvironment } from '../session/environment.ts';

/** How browsers handle frames. */
export const browserFrames: FrameEnvironment = {
  navigate: ({ contentWindow }, src) => {
    // WebKit lists the first navigation of an empty frame in Resource Timing; this one has no key.
    contentWindow?.location.replace('about:blank#');
    contentWindow?.location.replace(src);
  },
  // `contentDocument` is null for another origin.
  isEmpty: ({ contentDocument }) => !!contentDocument?.URL.startsWith('about:blank'),
};
