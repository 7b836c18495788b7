import type { Environment } from '../life/environment.ts';
import type { HeldKey, KeyKeeper } from '../life/keyKeeper.ts';
import type { Pulse } from '../life/pulse.ts';
import { judgeState } from './judgeState.ts';
import { createFrame, type LivingFrame } from './livingFrame.ts';
import type { ReportSnapshot } from './reportState.ts';
import { tell } from './tell.ts';
import type { ReportViewOptions } from './viewOptions.ts';

/** The frames of one report on a page. */
export interface ReportView {
  readonly subscribe: (listener: () => void) => () => void;
  readonly snapshot: () => ReportSnapshot;
  /** What a server renders and a browser hydrates: the frame, shown at once, if its key came along. */
  readonly serverSnapshot: () => ReportSnapshot;
  readonly configure: (options: ReportViewOptions) => void;
  /** Ref of the outermost element, for `lazy`. */
  readonly root: { current: HTMLDivElement | null };
  /** Shows the report with a new key, without blanking the frame that is shown. Also the way out of an error. */
  readonly refresh: () => void;
  /** Shows the report anew with the key at hand, without blanking the frame that is shown. */
  readonly reload: () => void;
}

/** What a view works with. */
export interface ReportViewParts {
  readonly keeper: KeyKeeper;
  readonly pulse: Pulse;
  readonly environment: Environment;
  /** Keeps the key out of the document. */
  readonly isConcealed: boolean;
  /** Waits until the report is near the viewport. */
  readonly isLazy: boolean;
}

const defaultLoadTimeoutMs = 20_000;

/** A successor waits for a person to look away, but not into this last part of the old key's life. Longer than a sleep of the pulse. */
const swapMarginMs = 35_000;

/** Creates the view of one report. Nothing happens until somebody subscribes. */
export const createReportView = (parts: ReportViewParts): ReportView => {
  const { keeper, pulse, isConcealed, isLazy } = parts;
  const { isVisible, listen, onNear } = parts.environment;
  const root: ReportView['root'] = { current: null };
  const listeners = new Set<() => void>();
  let options: ReportViewOptions = {};
  let frames: readonly LivingFrame[] = [];
  let isIdle = isLazy;
  /** A new frame is wanted although the key is the same. */
  let isReloading = false;
  let announced: HeldKey | undefined;
  let seenAt = 0;
  let stops: (() => void)[] = [];

  const isSeamless = () => !options.refresh || options.refresh === 'seamless';

  const frameOf = (held: HeldKey) =>
    createFrame({
      held,
      slowAt: pulse.now() + (options.loadTimeoutMs ?? defaultLoadTimeoutMs),
      isConcealed,
      onLoad: () => {
        tell(() => options.onLoad?.());
        pulse.beat();
      },
    });

  /** Whether a new key should be asked for; a host that decides for itself is told. */
  const isKeyWanted = (now: number, held = keeper.key()) => {
    if (isIdle) return false;
    if (!held) return true;
    // A page that nobody has seen for a whole lifetime lets its key end, and renews it on sight.
    const isWelcome = isSeamless() && now - seenAt < held.endsAt - held.bornAt;
    if (now >= held.endsAt) return isWelcome || !frames.length;
    if (now < held.refreshAt && held.bornAt > pulse.doubtedAt()) return false;
    if (options.refresh === 'manual' && announced !== held) {
      announced = held;
      const due = { endsInMs: held.endsAt - now, refresh: keeper.renew };
      tell(() => options.onRefreshDue?.(due));
    }
    return isWelcome;
  };

  /** Starts frames, and puts a successor in the place of the frame that is shown. */
  const arrange = (now: number, held = keeper.key()) => {
    if (isIdle || !held || now >= held.endsAt) return;
    const [current = frameOf(held), standby] = frames;
    if (!frames.length) frames = [current];
    else if (!standby && (held !== current.held || isReloading)) frames = [current, frameOf(held)];
    else if (standby) {
      const leftMs = current.held.endsAt - now;
      const hasFocus = current.element && current.element === document.activeElement;
      const isBusy = hasFocus && isVisible() && !isReloading && leftMs > swapMarginMs;
      if (current.isLoaded && leftMs > 0 && (isBusy || !standby.isLoaded)) return;
      frames = [standby];
      isReloading = false;
      tell(() => options.onRefresh?.());
      // React commits in a microtask that is queued before the second of these; the focus follows the report.
      const focus = () => standby.element?.focus({ preventScroll: true });
      if (hasFocus) queueMicrotask(() => queueMicrotask(focus));
    }
  };

  const take = (now: number): ReportSnapshot => {
    const state = judgeState({ now, frames, error: keeper.error(), isIdle, isSeamless: isSeamless() });
    // Ready, refreshing, degraded.
    return { state, frames, isShown: /^[rd]/.test(state.status) };
  };

  const look = (isWake: boolean): number => {
    const now = pulse.now();
    if (isVisible()) seenAt = now;
    const delayMs = keeper.tend(isKeyWanted(now), isWake);
    arrange(now);
    const { state } = snapshot;
    const next = take(now);
    const { error, status } = next.state;
    const isNews = error?.code !== state.error?.code;
    if (isNews || status !== state.status || frames !== snapshot.frames) {
      snapshot = next;
      for (const listener of listeners) listener();
      if (error && isNews) tell(() => options.onError?.(error));
    }
    const dates = frames.flatMap(({ slowAt, held }) => [slowAt, held.refreshAt, held.endsAt]);
    return Math.min(delayMs, ...dates.map((date) => (date > now ? date - now : Infinity)));
  };

  const begin = () => {
    const { current } = root;
    // Frames out of sight lie in the report's own box. Set here, because a server's HTML must do without inline style.
    if (current) current.style.position ||= 'relative';
    else isIdle = false;
    stops = [
      listen('securitypolicyviolation', (event) => {
        // The type says which event it is.
        const { effectiveDirective, disposition, blockedURI } = event as SecurityPolicyViolationEvent;
        if (effectiveDirective !== 'frame-src' || disposition !== 'enforce') return;
        for (const frame of frames) frame.isBlocked ||= frame.held.value.tenantUrl.startsWith(blockedURI);
        pulse.beat();
      }),
      keeper.use(),
      pulse.add(look),
    ];
    if (isIdle && current)
      stops.push(
        onNear(current, () => {
          isIdle = false;
          pulse.beat();
        }),
      );
  };

  const first = pulse.now();
  arrange(first);
  let snapshot = take(first);

  return {
    root,
    subscribe: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1) begin();
      return () => {
        listeners.delete(listener);
        if (!listeners.size) for (const stop of stops) stop();
      };
    },
    snapshot: () => snapshot,
    serverSnapshot: () => {
      const held = keeper.key();
      if (held && !isIdle && !snapshot.isShown) {
        // The frame came with the HTML and may have loaded before anybody could listen; clocks do not agree yet.
        const [frame = frameOf(held)] = frames;
        frame.isLoaded = true;
        frames = [frame];
        snapshot = { state: { status: 'ready' }, frames, isShown: true };
      }
      return snapshot;
    },
    configure: (next) => {
      options = next;
    },
    refresh: keeper.renew,
    reload: () => {
      isReloading = true;
      pulse.beat();
    },
  };
};
