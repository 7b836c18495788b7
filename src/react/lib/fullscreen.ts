'use client';
import { useEffect, useState } from 'react';

/** The full screen of a report, for its button. */
export interface ReportFullscreen {
  readonly isActive: boolean;
  /** Whether to show the button: never where the browser has no full screen for elements. */
  readonly isOffered: boolean;
  readonly toggle: () => void;
}

/** Follows whether the root of a report is in full screen. The root, not a frame, so that a renewal does not end it. */
export const useFullscreen = (
  root: { readonly current: HTMLElement | null },
  hasButton: boolean,
): ReportFullscreen => {
  const [isActive, setActive] = useState(false);
  useEffect(() => {
    const element = root.current;
    const onChange = () => setActive(!!element?.matches(':fullscreen'));
    element?.addEventListener('fullscreenchange', onChange);
    return () => element?.removeEventListener('fullscreenchange', onChange);
  }, [root]);
  const toggle = () => void (isActive ? document.exitFullscreen() : root.current?.requestFullscreen());
  // There is no report in a server's HTML, so that hydration finds no button either.
  const isOffered = isActive || (hasButton && !!globalThis.document?.fullscreenEnabled);
  return { isActive, isOffered, toggle };
};
