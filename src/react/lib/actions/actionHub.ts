import { defaultEndpoint, type ReportAction } from '@vitrine/contract';
import type { EmbedKeyOptions } from '../keys/embedKeyOptions.ts';
import type { KeyRequestOptions } from '../keys/keyRequest.ts';
import type { Environment } from '../life/environment.ts';
import { createActionConnection, type Hello, type PlacedAction } from './actionConnection.ts';
import { createPageClock, type PageClock } from './pageClock.ts';
import { browserTabs, type TabChannel, type Tabs } from './tabs.ts';

/** Takes every action that reaches the page for one viewer. */
export type ActionListener = (action: ReportAction) => void;

/** Options of {@link createActionHub}. */
export interface ActionHubOptions {
  readonly endpoint: string;
  readonly environment: PageClock;
  /** The other tabs, or `undefined` where the browser cannot reach them. */
  readonly tabs: Tabs | undefined;
}

/** One stream for all who listen on a page. */
export interface ActionHub {
  /** Listens; returns its own undo. Requests use the options of whoever came last, whose callbacks are the newest. */
  listen(keys: KeyRequestOptions, listener: ActionListener): () => void;
}

/** Actions a leader keeps for tabs that change over. */
const maxKept = 128;
/** A follower looks at its own access this often, as a stream of its own would. */
const recheckMs = 5 * 60_000;
/** How long the stream outlives its last listener, so that a change of route does not open it anew. */
const lingerMs = 1000;
const patience = 2.5;

/**
 * Creates the hub. A page first opens a stream of its own, and learns from its first event which viewer the backend sees.
 * If another tab already leads for the same viewer, it closes its own and follows; when the leader goes, a follower leads.
 */
export const createActionHub = ({ environment, endpoint, tabs }: ActionHubOptions): ActionHub => {
  let newest: KeyRequestOptions = {};
  const listeners = new Set<ActionListener>();
  let channel: TabChannel | undefined;
  let scope: string | undefined;
  let person: string | undefined;
  let life = new AbortController();
  let release: (() => void) | undefined;
  let kept: PlacedAction[] = [];
  let cursor = -1;
  /** The number with which this page asked the leader for what it may have missed, and whether that has been answered. */
  let question = 0;
  let hasAnswer = false;
  let heartbeatMs = 15_000;
  let stopSilence: (() => void) | undefined;
  let stopRecheck: (() => void) | undefined;
  let stopLinger: (() => void) | undefined;
  let isOpen = false;

  const take = (placed: PlacedAction): void => {
    if (placed.cursor <= cursor) return;
    cursor = placed.cursor;
    // A follower keeps them too: it may lead before those who come later have asked.
    kept = [...kept, placed].slice(-maxKept);
    for (const listener of listeners) {
      try {
        listener(placed.action);
      } catch (error) {
        // One listener's mistake is reported as an uncaught error would be, and keeps nobody else from the action.
        reportError(error);
      }
    }
  };

  const connection = createActionConnection({
    keys: () => newest,
    environment,
    onHello: (hello) => void meet(hello),
    onAction(placed) {
      if (release) channel?.send({ kind: 'action', placed });
      take(placed);
    },
    onBeat(reached) {
      cursor = Math.max(cursor, reached);
      if (release) channel?.send({ kind: 'beat', cursor: reached });
    },
  });

  const leaveTabs = (): void => {
    life.abort();
    life = new AbortController();
    release?.();
    channel?.close();
    stopSilence?.();
    stopRecheck?.();
    release = channel = scope = undefined;
    hasAnswer = false;
  };

  const goAlone = (): void => {
    leaveTabs();
    connection.open(cursor < 0 ? undefined : cursor);
  };

  const hear = (): void => {
    stopSilence?.();
    // A leader that is frozen still holds its lock; after so long a silence this page looks for itself.
    stopSilence = environment.setTimer(goAlone, heartbeatMs * patience);
  };

  const follow = (name: string): void => {
    connection.close();
    question = environment.random();
    channel?.send({ kind: 'since', cursor, from: question });
    hear();
    stopRecheck = environment.setTimer(goAlone, recheckMs * (0.9 + 0.2 * environment.random()));
    const { signal } = life;
    void tabs?.lead(name, { wait: true, signal }).then((granted) => {
      if (!granted) return;
      if (signal.aborted) return granted();
      stopSilence?.();
      stopRecheck?.();
      release = granted;
      connection.open(cursor < 0 ? undefined : cursor);
    });
  };

  const meet = async (hello: Hello): Promise<void> => {
    heartbeatMs = hello.heartbeatMs;
    // What one person was sent is never handed to tabs of another.
    if (hello.scope !== person) kept = [];
    person = hello.scope;
    if (!tabs || hello.scope === '' || hello.scope === scope) return;
    leaveTabs();
    scope = hello.scope;
    const name = `vitrine actions ${endpoint} ${scope}`;
    const { signal } = life;
    channel = tabs.join(name, (message) => {
      if (message.kind === 'since') {
        if (!release) return;
        for (const placed of kept)
          if (placed.cursor > message.cursor) channel?.send({ kind: 'action', placed });
        channel?.send({ kind: 'beat', cursor, to: message.from });
        return;
      }
      if (release) return;
      hear();
      if (message.kind === 'action') return take(message.placed);
      hasAnswer ||= message.to === question;
      // Until then, actions that lie before the leader's position may be on their way.
      if (hasAnswer) cursor = Math.max(cursor, message.cursor);
    });
    const granted = await tabs.lead(name, { wait: false, signal });
    if (signal.aborted) granted?.();
    else if (granted) release = granted;
    else follow(name);
  };

  const close = (): void => {
    isOpen = false;
    connection.close();
    leaveTabs();
    kept = [];
    cursor = -1;
  };

  return {
    listen(keys, listener) {
      newest = keys;
      stopLinger?.();
      listeners.add(listener);
      if (!isOpen) {
        isOpen = true;
        connection.open();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopLinger = environment.setTimer(close, lingerMs);
      };
    },
  };
};

const hubs = new WeakMap<Environment, Map<string, ActionHub>>();

/** The one hub of a page for an endpoint and a viewer. */
export const actionHubOf = (options: EmbedKeyOptions): ActionHub => {
  const { environment = globalThis, endpoint = defaultEndpoint, viewer = '' } = options;
  const ofEnvironment = hubs.get(environment) ?? new Map<string, ActionHub>();
  hubs.set(environment, ofEnvironment);
  const id = JSON.stringify([endpoint, viewer]);
  const known = ofEnvironment.get(id);
  if (known) return known;
  const hub = createActionHub({ environment: createPageClock(environment), endpoint, tabs: browserTabs() });
  ofEnvironment.set(id, hub);
  return hub;
};
