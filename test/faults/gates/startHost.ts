import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The kinds of host that `herdHost.ts` knows. */
export type HostKind =
  | 'ours'
  | 'uncapped'
  | 'uncoalesced'
  | 'plain'
  | 'twoTenants'
  | 'sharedPool'
  | 'blocking';

/** What a host tells of itself. */
export interface HostFigures {
  /** The most memory its process has had, in MB. */
  readonly memoryMb: number;
  /** How late its event loop was, since the last look, in all but one of a hundred turns. */
  readonly eventLoopP99Ms: number;
  /** Requests that have come in so far. */
  readonly requests: number;
}

/** A host in a process of its own. */
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
