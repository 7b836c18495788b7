import { reportUrl } from '@vitrine/contract';
import { EmbedError } from '../errors/embedError.ts';
import type { EmbedKeyQuery } from '../keys/embedKeyOptions.ts';
import type { HeldKey, KeyKeeper, Look } from '../life/keyKeeper.ts';
import type { LivingFrame } from './livingFrame.ts';
import type { ReportSnapshot, ReportState } from './reportState.ts';
import { tell } from './tell.ts';
import type { ReportViewOptions } from './viewOptions.ts';

/** The frames of one report on a page. */
export interface ReportView {
  /**
   * What `useSyncExternalStore` is called with. It takes one subscriber, whoever draws the report, and lives for as long
   * as there is one. What a server renders and a browser hydrates is the frame, shown at once, if its key came along.
   */
  readonly store: readonly [
    subscribe: (notify: () => void) => () => void,
    snapshot: () => ReportSnapshot,
    serverSnapshot: () => ReportSnapshot,
  ];
  readonly configure: (options: ReportViewOptions) => void;
  /** Ref of the outermost element. */
  readonly root: { (element: HTMLDivElement | null): void; current: HTMLDivElement | null };
  /** Shows the report with a new key, without blanking the frame that is shown. Also the way out of an error. */
  readonly refresh: () => void;
  /** Shows the report anew with the key at hand, without blanking the frame that is shown. */
  readonly reload: () => void;
}

/** What may not change during the life of a view. */
export interface ReportViewSetup {
  /** Keeps the key out of the document. */
  readonly concealKey: boolean;
  /** Waits until the report is near the viewport. */
  readonly lazy: boolean;
}

const defaultLoadTimeoutMs = 20_000;

/** A successor waits for a person to look away, but not into this last part of the old key's life. Longer than a sleep of the keeper. */
const swapMarginMs = 35_000;

/** Whoever comes back after so long may be somebody else, or may have lost the right to see the report. */
const longAbsenceMs = 5 * 60_000;

const nothing: readonly LivingFrame[] = [];

let frameCount = 0;

/** Creates the view of one report. Nothing happens until somebody subscribes. */
export const createReportView = (
  keeper: KeyKeeper,
  query: EmbedKeyQuery,
  { concealKey, lazy }: ReportViewSetup,
): ReportView => {
  const { environment, now, beat, renew } = keeper;
  const root: ReportView['root'] = Object.assign(
    (element: HTMLDivElement | null) => {
      root.current = element;
      // React attaches before the page is painted and subscribes after it: the first key need not wait that long.
      if (!isIdle) queueMicrotask(() => root.current && keeper.tend(now(), !keeper.key(), query));
    },
    { current: null },
  );
  let options: ReportViewOptions = {};
  let frames = nothing;
  let isIdle = lazy;
  let seenAt = now();
  /** The key that the host knows to be due. */
  let announced: HeldKey | undefined;

  const isSeamless = () => !options.refresh || options.refresh === 'seamless';

  /**
   * Creates a frame. It never gets another address: a living frame that navigates adds an entry to the page's history.
   * A concealed key stays out of the document and of Resource Timing: its frame starts empty and is sent on its way.
   */
  const frameOf = (held: HeldKey): LivingFrame => {
    const src = reportUrl(held.tenantUrl, held.itemId, held.key);
    const frame: LivingFrame = {
      id: ++frameCount,
      held,
      slowAt: now() + (options.loadTimeoutMs ?? defaultLoadTimeoutMs),
      props: {
        ...(!concealKey && { src }),
        ref: (element) => {
          // StrictMode takes the element away and brings it back: it is sent once all the same.
          if (!element || element === frame.element) return;
          frame.element = element;
          if (concealKey) element.contentWindow?.location.replace(src);
        },
        onLoad: () => {
          // The load of the first, empty document says nothing about the report, whose own is not to be had.
          if (frame.isLoaded || frame.element?.contentDocument?.URL === 'about:blank') return;
          frame.isLoaded = true;
          tell(options.onLoad);
          beat();
        },
      },
    };
    return frame;
  };

  /** Whether a new key should be asked for; a host that decides for itself is told. */
  const isKeyWanted = (date: number, held: HeldKey | undefined) => {
    if (!held) return true;
    if (options.refresh === 'manual' && announced !== held) {
      announced = held;
      tell(options.onRefreshDue, { endsInMs: held.endsAt - date, refresh: renew });
    }
    if (!frames.length) return true;
    // A page that nobody has seen for the whole life of a key lets it end, and renews it on sight.
    return isSeamless() && seenAt >= held.bornAt;
  };

  /** Starts frames, and puts a successor in the place of the frame that is shown. */
  const arrange = (date: number, held: HeldKey | undefined) => {
    const [current, standby] = frames;
    // A refusal has taken the key away, and what was shown with it.
    if (!held) frames = nothing;
    else if (date < held.endsAt) {
      if (!current) frames = [frameOf(held)];
      // A successor that has not taken over by the time of the next key may never load.
      else if (held !== (standby ?? current).held) frames = [current, frameOf(held)];
      else if (standby) replace(current, standby, date);
    }
  };

  const replace = (current: LivingFrame, standby: LivingFrame, date: number) => {
    const leftMs = current.held.endsAt - date;
    const hasFocus = current.element && current.element === document.activeElement;
    const isReload = standby.held === current.held;
    const isBusy = hasFocus && !environment.document.hidden && !isReload && leftMs > swapMarginMs;
    if (current.isLoaded && leftMs > 0 && (isBusy || !standby.isLoaded)) return;
    frames = [standby];
    tell(options.onRefresh);
    // React commits in a microtask that is queued before the second of these; the focus follows the report.
    if (hasFocus) queueMicrotask(() => queueMicrotask(() => standby.element?.focus({ preventScroll: true })));
  };

  const judge = (date: number): ReportSnapshot => {
    const [current, standby] = frames;
    const isEnded = current && date >= current.held.endsAt;
    const isShown = !!current?.isLoaded && !current.held.blocked && !isEnded;
    const isWaiting = current && !isEnded && !current.isLoaded;
    let error = current?.held.blocked;
    if (isWaiting && date >= current.slowAt) error ??= new EmbedError('frame_slow');
    if (!isWaiting && !isIdle) error ??= keeper.error();
    if (isEnded && !isSeamless()) error ??= new EmbedError('key_ended');
    const good = isShown ? (standby ? 'refreshing' : 'ready') : isIdle ? 'idle' : 'loading';
    const bad = isShown ? 'degraded' : isEnded ? 'expired' : 'failed';
    // Just those states have an error.
    const state = { status: error ? bad : good, error } as ReportState;
    return { state, frames, isShown };
  };

  if (!isIdle) arrange(seenAt, keeper.key());
  let snapshot = judge(seenAt);

  const lookFor =
    (notify: () => void): Look =>
    (date, held, isDue) => {
      if (!environment.document.hidden) {
        if (date - seenAt > longAbsenceMs && frames.length && isSeamless()) renew();
        seenAt = date;
      }
      arrange(date, held);
      const { state } = snapshot;
      const next = judge(date);
      const { error, status } = next.state;
      const isNews = error?.code !== state.error?.code;
      if (isNews || status !== state.status || frames !== snapshot.frames) {
        snapshot = next;
        notify();
        if (error && isNews) tell(options.onError, error);
      }
      return [
        keeper.tend(date, isDue && isKeyWanted(date, held), query),
        ...frames.flatMap((frame) => [frame.slowAt, frame.held.refreshAt, frame.held.endsAt]),
      ];
    };

  const subscribe = (notify: () => void) => {
    const { current } = root;
    const [shown] = frames;
    // Frames out of sight lie in the report's own box. Set here, because a server's HTML must do without inline style.
    if (current) current.style.position ||= 'relative';
    // A frame of the server's HTML may have loaded before anybody listened; a successor has not.
    if (snapshot.isShown) shown?.props.onLoad();
    let end: (() => void) | undefined;
    const begin = () => {
      end?.();
      isIdle = false;
      end = keeper.add(lookFor(notify));
    };
    if (isIdle && current) {
      const observer = new environment.IntersectionObserver(
        (entries) => entries.some(({ isIntersecting }) => isIntersecting) && begin(),
        { rootMargin: '50%' },
      );
      observer.observe(current);
      end = () => observer.disconnect();
    } else begin();
    return () => end?.();
  };

  const serverSnapshot = () => {
    // The frame comes with the HTML, and clocks do not agree yet.
    if (!isIdle) arrange(-Infinity, keeper.key());
    if (frames.length && !snapshot.isShown) snapshot = { state: { status: 'ready' }, frames, isShown: true };
    return snapshot;
  };

  return {
    root,
    store: [subscribe, () => snapshot, serverSnapshot],
    configure: (next) => {
      options = next;
    },
    refresh: renew,
    reload: () => {
      const held = keeper.key();
      const [current] = frames;
      if (held && current) frames = [current, frameOf(held)];
      beat();
    },
  };
};
