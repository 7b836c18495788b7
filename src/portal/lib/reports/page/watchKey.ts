/** Interval at which an open page checks its key, in milliseconds. */
const checkEveryMs = 5000;

/** Options of {@link watchKey}. */
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
 * Calls back once when the key has expired. The portal decides, not this machine's clock: the page checks at the
 * expected time, every few seconds, and whenever it becomes visible.
 */
export const watchKey = ({ sessionUrl, key, endsInMs, onEnd }: KeyWatchOptions): void => {
  let timer = 0;
  const checkKey = async () => {
    window.clearTimeout(timer);
    let waitMs = checkEveryMs;
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
      waitMs = Math.max(250, Math.min(checkEveryMs, session.endsInMs));
    } catch {
      // The portal cannot be reached; the next check decides.
    }
    timer = window.setTimeout(() => void checkKey(), waitMs);
  };
  const lookWhenVisible = () => {
    if (document.visibilityState === 'visible') void checkKey();
  };
  document.addEventListener('visibilitychange', lookWhenVisible);
  timer = window.setTimeout(() => void checkKey(), Math.max(250, Math.min(checkEveryMs, endsInMs)));
};
