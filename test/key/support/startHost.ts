import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
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

/** A host in its own process. */
export interface HostProcess {
  readonly url: string;
  look(): Promise<HostFigures>;
  stop(): Promise<void>;
}

/** Starts a {@link HostProcess}. */
export const startHost = async (portalUrl: string, kind: HostKind): Promise<HostProcess> => {
  const host = spawn(
    process.execPath,
    ['--conditions=@vitrine/source', fileURLToPath(new URL('herdHost.ts', import.meta.url)), portalUrl, kind],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface(host.stdout)[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  const url = await next();
  return {
    url,
    look: async () => {
      host.stdin.write('look\n');
      return JSON.parse(await next());
    },
    stop: async () => {
      const ended = once(host, 'exit');
      host.stdin.end();
      await ended;
    },
  };
};
