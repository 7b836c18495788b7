/** How often an open page asks whether its key still holds, in milliseconds. */
const lookEveryMs = 5000;

/** What {@link watchKey} works with. */
export interface KeyWatchOptions {
  readonly sessionUrl: string;
  readonly key: string;
  readonly endsInMs: number;
  readonly onEnd: (state: string) => void;
}

interface Session {
  readonly state: string;
  readonly endsInMs: number;
}

/**
 * Calls back once when the key has ended. The portal decides, not this machine's clock: the page asks at the time it
 * expects the end, every few seconds, and whenever it comes to the front.
 */
export const watchKey = ({ sessionUrl, key, endsInMs, onEnd }: KeyWatchOptions): void => {
  let timer = 0;
  const look = async () => {
    window.clearTimeout(timer);
    let waitMs = lookEveryMs;
    try {
      const answer = await fetch(sessionUrl, {
        method: 'POST',
        headers: { authorization: `ReportKey ${key}` },
        cache: 'no-store',
      });
      const session = (await answer.json()) as Session;
      if (session.state !== 'open') {
        document.removeEventListener('visibilitychange', lookWhenVisible);
        onEnd(session.state);
        return;
      }
      waitMs = Math.max(250, Math.min(lookEveryMs, session.endsInMs));
    } catch {
      // The portal cannot be reached at present; the next look tells.
    }
    timer = window.setTimeout(() => void look(), waitMs);
  };
  const lookWhenVisible = () => {
    if (document.visibilityState === 'visible') void look();
  };
  document.addEventListener('visibilitychange', lookWhenVisible);
  timer = window.setTimeout(() => void look(), Math.max(250, Math.min(lookEveryMs, endsInMs)));
};
