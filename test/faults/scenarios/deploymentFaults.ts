import { setTimeout as pause } from 'node:timers/promises';
import type { Deployment } from './deployment.ts';
import type { LoadFailure } from './deploymentLoad.ts';

/** A fault that is injected into a deployment. */
interface DeploymentFault {
  readonly what: string;
  readonly inject: (deployment: Deployment) => Promise<void>;
  /** How long after it requests may still fail. Undefined: none may fail. */
  readonly recoveryMs?: number;
}

/** A period in which requests may fail. */
interface FaultWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The faults of the soak test, in this order. */
export const deploymentFaults: readonly DeploymentFault[] = [
  { what: 'a backend is killed', inject: ({ crash }) => crash(0), recoveryMs: 5_000 },
  {
    what: 'the portal returns 500 for 30 s',
    inject: async ({ portalFaults }) => {
      const fault = portalFaults.add({ effect: { kind: 'status', status: 500 } });
      await pause(30_000);
      portalFaults.remove(fault);
    },
    // The circuit probes every 15 s at least.
    recoveryMs: 20_000,
  },
  {
    what: 'connections to Postgres end, and none is made for 5 s',
    inject: async ({ postgres }) => {
      postgres.cut();
      await pause(5_000);
      postgres.restore();
    },
    recoveryMs: 10_000,
  },
  { what: 'nginx loads its configuration again', inject: ({ reloadNginx }) => reloadNginx() },
];

/** Injects a fault, and returns the period in which requests may have failed because of it. */
export const injectFault = async (deployment: Deployment, fault: DeploymentFault): Promise<FaultWindow> => {
  const fromMs = Date.now();
  await fault.inject(deployment);
  return { fromMs, toMs: fault.recoveryMs === undefined ? fromMs : Date.now() + fault.recoveryMs };
};

/** Failures outside every fault. */
export const unexplained = (failures: readonly LoadFailure[], windows: readonly FaultWindow[]) =>
  failures.filter(({ atMs }) => windows.every(({ fromMs, toMs }) => atMs < fromMs || atMs > toMs));

/** The number of failures of each kind; the number of a request is removed. */
export const countKinds = (failures: readonly LoadFailure[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { what } of failures) {
    const kind = what.replace(/,"requestId".*/, '');
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
};
