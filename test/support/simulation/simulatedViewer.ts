import { QueryClient } from '@tanstack/react-query';
import { problemMediaType } from '@vitrine/contract';
import type { PageReport } from '../../../src/react/lib/page.ts';
import { createReport } from '../../../src/react/lib/report.ts';
import type { Agenda } from './agenda.ts';
import type { Machine } from './machine.ts';

/** How the backend answers a request that reaches it. */
export type BackendAnswer =
  | { readonly kind: 'key'; readonly lifetimeMs: unknown }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly code: string;
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'hang' };

/** One report on one machine, with the real key session and frames, and a simulated network. */
export interface SimulatedViewer {
  /** When each request was sent, in real time. */
  readonly attempts: readonly number[];
  /** When each key was issued, in real time. */
  readonly keys: readonly number[];
  /**
   * When the key of the visible frame was requested and when it expires, in real time; undefined while nothing is
   * shown.
   */
  readonly shown: () => { readonly from: number; readonly until: number } | undefined;
  readonly mount: () => void;
  readonly unmount: () => void;
}

/** What a viewer consists of. */
export interface SimulatedViewerOptions {
  readonly agenda: Agenda;
  readonly machine: Machine;
  readonly random: () => number;
  readonly answer: () => BackendAnswer;
}

/** Creates the viewer to simulate. Controls create one with a fault. */
export type CreateViewer = (options: SimulatedViewerOptions) => SimulatedViewer;

/** Creates a {@link SimulatedViewer}; nothing is mounted yet. */
export const createSimulatedViewer = ({
  agenda,
  machine,
  random,
  answer,
}: SimulatedViewerOptions): SimulatedViewer => {
  const attempts: number[] = [];
  const keys: number[] = [];
  const trueLifetimes = new Map<string, { from: number; until: number }>();
  const seenFrames = new Set<string>();
  let report: PageReport | undefined;
  let leave: (() => void) | undefined;
  let isMounted = false;

  /** The parts of a response that are read; a real one needs extra turns to be read. */
  const response = (status: number, body: object) =>
    ({
      ok: status === 200,
      status,
      headers: new Headers({ 'content-type': problemMediaType }),
      json: async () => body,
    }) as Response;

  const fetch = () =>
    new Promise<Response>((resolve, reject) => {
      const sentAt = agenda.now();
      attempts.push(sentAt);
      const result = answer();
      if (result.kind === 'hang') return;
      agenda.at(sentAt + 50 + random() * 400, () => {
        agenda.breathe();
        // A suspended machine receives nothing, and the connection is lost when it resumes.
        if (!machine.isAwake() || result.kind === 'unreachable') return reject(new TypeError('simulated'));
        if (result.kind === 'status') return resolve(response(result.status, result));
        const key = `key ${attempts.length}`;
        const { lifetimeMs } = result;
        const livesMs = Number(lifetimeMs);
        if (livesMs > 0) keys.push(agenda.now());
        trueLifetimes.set(key, { from: sentAt, until: sentAt + livesMs });
        resolve(
          response(200, { itemId: 1, key, tenantUrl: 'https://acme.example', lifetimeMs, expiresAt: '' }),
        );
      });
    });
  const queryClient = new QueryClient();
  const setup = {
    itemId: 1,
    keys: { fetch },
    queryClient,
    isEnabled: true,
    isConcealed: false,
    isLazy: false,
  };

  /** Frames load some time after they appear. */
  const loadFrames = () => {
    for (const { id, props } of report?.getSnapshot().frames ?? []) {
      if (seenFrames.has(id)) continue;
      seenFrames.add(id);
      const load = () => {
        agenda.breathe();
        if (machine.isAwake()) props.onLoad();
        else agenda.at(agenda.now() + 60_000, load);
      };
      agenda.at(agenda.now() + 200 + random() * 2_000, load);
    }
  };

  return {
    attempts,
    keys,
    shown: () => {
      const frame = report?.getSnapshot().frames.find(({ isVisible }) => isVisible);
      if (!isMounted || !frame) return undefined;
      const src = frame.props.src ?? '';
      return trueLifetimes.get(decodeURIComponent(src.slice(src.indexOf('ev=') + 3)));
    },
    mount: () => {
      isMounted = true;
      report = createReport(setup);
      leave = report.subscribe(loadFrames);
      report.commit({}, loadFrames);
      loadFrames();
      agenda.breathe();
    },
    unmount: () => {
      isMounted = false;
      leave?.();
      agenda.breathe();
    },
  };
};
