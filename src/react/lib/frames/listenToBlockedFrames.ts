import type { Environment } from '../session/environment.ts';

/** Calls back when the page's Content-Security-Policy blocks a frame; returns an unsubscribe function. */
export const listenToBlockedFrames = (
  environment: Environment,
  onBlocked: (isAffected: (src: string) => boolean) => void,
): (() => void) => {
  const listener = (event: Event) => {
    // The event type guarantees this class.
    const { effectiveDirective, disposition, blockedURI } = event as SecurityPolicyViolationEvent;
    if (effectiveDirective !== 'frame-src' || disposition !== 'enforce') return;
    // Browsers report only the origin, or the whole URL if it is same-origin.
    onBlocked((src) => `${blockedURI}/`.startsWith(`${new URL(src).origin}/`));
  };
  environment.addEventListener('securitypolicyviolation', listener, true);
  return () => environment.removeEventListener('securitypolicyviolation', listener, true);
};
