import { startProgram } from '../../support/startProgram.ts';
import type { HostKind } from './herdHost.ts';

/** What a host reports about itself. */
export interface HostFigures {
  /** The peak memory of its process, in MB. */
  readonly memoryMb: number;
  /** The 99th percentile of its event loop delay since the last query. */
  readonly eventLoopP99Ms: number;
  /** Requests received so far. */
  readonly requests: number;
}

/** Starts a host in its own process. */
export const startHost = async (portalUrl: string, kind: HostKind) => {
  const { line, ask, end } = startProgram(new URL('herdHost.ts', import.meta.url), [portalUrl, kind]);
  return { url: await line(), look: () => ask<HostFigures>('look'), stop: () => end() };
};
