import type { Environment } from '../session/environment.ts';

/** Calls back with the addresses that the page's Content-Security-Policy keeps out of frames; returns an unsubscribe function. */
export const listenToBlockedFrames = (
  environment: Environment,
  onBlocked: (isAffected: (src: string) => boolean) => void,
): (() => void) => {
  const listener = (event: Event) => {
    // The type of the event says which one it is.
    const { effectiveDirective, disposition, blockedURI } = event as SecurityPolicyViolationEvent;
    if (effectiveDirective !== 'frame-src' || disposition !== 'enforce') return;
    // Browsers name the origin alone, or the whole address where it is one of the page's own.
    onBlocked((src) => `${blockedURI}/`.startsWith(`${new URL(src).origin}/`));
  };
  environment.addEventListener('securitypolicyviolation', listener, true);
  return () => environment.removeEventListener('securitypolicyviolation', listener, true);
};
