import type { ReportAction } from '@vitrine/contract';
import { inspect, streamStatuses } from '../inspectors.ts';
import type { KeyRequestOptions } from '../keys/keyRequestOptions.ts';
import type { ActionRole } from './actionRole.ts';
import { createActionStream, type PlacedAction } from './actionStream.ts';
import type { ActionStreamStatus } from './actionStreamStatus.ts';
import type { PageEnvironment } from './pageEnvironment.ts';
import { defaultHeartbeatMs, type StreamHello } from './streamHello.ts';
import type { TabChannel, TabMessage, Tabs } from './tabs.ts';

/** A listener to the actions of one viewer. */
export interface ActionListener {
  readonly onAction: (action: ReportAction) => void;
  /** Called with the current status at once, and whenever it changes. */
  readonly onStatus: (status: ActionStreamStatus) => void;
}

/** Options of {@link createActionHub}. */
export interface ActionHubOptions {
  readonly endpoint: string;
  readonly environment: PageEnvironment;
  /** The other tabs, or `undefined` if the browser does not support them. */
  readonly tabs: Tabs | undefined;
}

/** One action stream, shared by all listeners on a page. */
export interface ActionHub {
  /**
   * Subscribes; returns an unsubscribe function. Requests use the options of the newest listener, whose provider is
   * mounted.
   */
  listen(keys: KeyRequestOptions, listener: ActionListener): () => void;
}

/** Maximum number of actions that a leader keeps for tabs that start to follow. */
const maxKept = 128;
/** Interval at which a follower checks its own access, as its own stream would. */
const recheckMs = 5 * 60_000;
/** How long the stream stays open without listeners, so that a route change does not reopen it. */
const lingerMs = 1000;
const maxMissedHeartbeats = 2.5;

/**
 * Creates the hub. A page first opens its own stream, whose first event identifies the viewer. If another tab already
 * leads for the same viewer, the page closes its stream and follows; when the leader closes, a follower takes over.
 */
export const createActionHub = ({ environment, endpoint, tabs }: ActionHubOptions): ActionHub => {
  const listeners = new Map<ActionListener, KeyRequestOptions>();
  let newestKeys: KeyRequestOptions = {};
  let role: ActionRole = { kind: 'solo' };
  /** Aborted when the role ends. */
  let roleController = new AbortController();
  let scope: string | undefined;
  let kept: readonly PlacedAction[] = [];
  let cursor: number | undefined;
  let heartbeatMs = defaultHeartbeatMs;
  let status: ActionStreamStatus = 'closed';
  let isSuspended = true;
  let stopSilence: (() => void) | undefined;
  let stopRecheck: (() => void) | undefined;
  let stopLinger: (() => void) | undefined;
  let stopListening: (() => void) | undefined;

  const isBehind = (position: number) => cursor === undefined || position > cursor;
  const reach = (position: number) => {
    if (isBehind(position)) cursor = position;
  };

  const setStatus = (next: ActionStreamStatus): void => {
    if (next === status) return;
    status = next;
    streamStatuses.set(endpoint, next);
    inspect({ type: 'stream', endpoint, status });
    for (const { onStatus } of listeners.keys()) onStatus(next);
  };

  const take = (placed: PlacedAction): void => {
    if (!isBehind(placed.cursor)) return;
    cursor = placed.cursor;
    // A follower keeps them too: it may become the leader before new followers ask.
    kept = [...kept, placed].slice(-maxKept);
    for (const { onAction } of listeners.keys()) {
      try {
        onAction(placed.action);
      } catch (error) {
        // Report a listener's error like any uncaught one; the other listeners still get the action.
        reportError(error);
      }
    }
  };

  const restartAt = (position: number): void => {
    cursor = position;
    kept = [];
  };

  const send = (message: TabMessage): void => {
    if (role.kind === 'leading') role.channel.send(message);
  };

  const stream = createActionStream({
    keys: () => newestKeys,
    environment,
    onHello: (hello) => void onHello(hello),
    onAction: (placed) => {
      send({ kind: 'action', placed });
      take(placed);
    },
    onHeartbeat: (position) => {
      reach(position);
      send({ kind: 'heartbeat', cursor: position });
    },
    onRestart: (position) => {
      restartAt(position);
      send({ kind: 'restart', cursor: position });
    },
    // Another tab may connect. This one keeps trying, and follows once it is connected.
    onFailure: () => leaveTabs(),
    onStatus: (next) => {
      if (role.kind !== 'following') setStatus(next);
    },
  });

  /** Ends the page's role among the tabs. */
  const leaveTabs = (): void => {
    roleController.abort();
    roleController = new AbortController();
    const before = role;
    role = { kind: 'solo' };
    stopSilence?.();
    stopRecheck?.();
    if (before.kind === 'leading') before.release();
    if (before.kind !== 'solo') before.channel.close();
  };

  const stopSharing = (): void => {
    leaveTabs();
    stream.open(cursor);
  };

  const onHello = async (hello: StreamHello): Promise<void> => {
    heartbeatMs = hello.heartbeatMs;
    const isSamePerson = hello.scope === scope;
    // Never pass one person's actions to another person's tabs.
    if (!isSamePerson) kept = [];
    scope = hello.scope;
    if (!tabs || scope === '' || (isSamePerson && role.kind === 'leading')) return;
    leaveTabs();
    const { signal } = roleController;
    const name = `vitrine actions ${endpoint} ${scope}`;
    const release = await tabs.lead(name, { wait: false, signal });
    if (signal.aborted) release?.();
    else if (release) lead(name, release);
    else follow(name);
  };

  const join = (name: string): TabChannel | undefined => tabs?.join(name, onMessage);

  const lead = (name: string, release: () => void): void => {
    const channel = role.kind === 'following' ? role.channel : join(name);
    if (channel) role = { kind: 'leading', channel, release };
  };

  const follow = (name: string): void => {
    const channel = join(name);
    if (!channel) return;
    role = { kind: 'following', channel, question: environment.random(), hasAnswer: false };
    stream.close();
    setStatus('open');
    channel.send({ kind: 'since', cursor: cursor ?? 0, from: role.question });
    restartSilenceTimer();
    stopRecheck = environment.setTimer(stopSharing, recheckMs * (0.9 + 0.2 * environment.random()));
    const { signal } = roleController;
    void tabs?.lead(name, { wait: true, signal }).then((release) => {
      if (!release) return;
      if (signal.aborted) return release();
      stopSilence?.();
      stopRecheck?.();
      lead(name, release);
      stream.open(cursor);
    });
  };

  const restartSilenceTimer = (): void => {
    stopSilence?.();
    // The leader has been silent for too long: open an own stream.
    stopSilence = environment.setTimer(stopSharing, heartbeatMs * maxMissedHeartbeats);
  };

  const onMessage = (message: TabMessage): void => {
    if (message.kind === 'since') {
      if (role.kind !== 'leading') return;
      for (const placed of kept) if (placed.cursor > message.cursor) send({ kind: 'action', placed });
      return send({ kind: 'heartbeat', cursor: cursor ?? 0, to: message.from });
    }
    if (role.kind !== 'following') return;
    restartSilenceTimer();
    if (message.kind === 'action') return take(message.placed);
    if (message.kind === 'restart') return restartAt(message.cursor);
    role.hasAnswer ||= message.to === role.question;
    // Until then, actions before the leader's position may still arrive.
    if (role.hasAnswer) reach(message.cursor);
  };

  /** A page that is frozen or in the back/forward cache reads nothing, so it must not lead. */
  const suspend = (): void => {
    isSuspended = true;
    leaveTabs();
    stream.close();
  };

  const resume = (): void => {
    if (!isSuspended) return;
    isSuspended = false;
    stream.open(cursor);
  };

  const open = (): void => {
    const ends = [
      environment.listenToAll(['pagehide', 'freeze'], suspend),
      environment.listenToAll(['pageshow', 'resume'], resume),
    ];
    stopListening = () => ends.forEach((end) => end());
    resume();
  };

  const close = (): void => {
    stopListening?.();
    stopListening = undefined;
    suspend();
    kept = [];
    // A later listener gets only new actions.
    cursor = scope = undefined;
  };

  return {
    listen(keys, listener) {
      newestKeys = keys;
      stopLinger?.();
      listeners.set(listener, keys);
      if (stopListening) listener.onStatus(status);
      else open();
      return () => {
        listeners.delete(listener);
        newestKeys = [...listeners.values()].at(-1) ?? newestKeys;
        if (listeners.size === 0) stopLinger = environment.setTimer(close, lingerMs);
      };
    },
  };
};
