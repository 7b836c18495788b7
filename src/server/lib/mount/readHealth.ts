import type { Tenant } from '../keys/createTenant.ts';

/** What is known of one tenant's portal. */
export interface TenantHealth {
  readonly tenancyName: string;
  /** `unknown` until the first call. */
  readonly status: 'ok' | 'failing' | 'unknown';
  /** Whether calls are let through: `open` after failures or at the portal's request, `probing` with one on trial. */
  readonly circuit: 'closed' | 'open' | 'probing';
  readonly callsUnderWay: number;
  readonly callsWaiting: number;
  /** How the last call went. */
  readonly last?: 'success' | 'failure';
  /** When the last key was created, in milliseconds since the epoch. */
  readonly lastSuccessMs?: number;
  readonly lastFailureMs?: number;
  /** What the last failure was, fit for a log. */
  readonly lastFailure?: string;
}

/** Whether keys can be created. */
export interface Health {
  /** `failing` when any tenant fails, `unknown` when none has been called yet. */
  readonly status: 'ok' | 'failing' | 'unknown';
  readonly tenants: readonly TenantHealth[];
}

const statusOf = ({ history, guard }: Tenant): TenantHealth['status'] => {
  if (guard.state !== 'closed') return 'failing';
  if (history.last === undefined) return 'unknown';
  return history.last === 'success' ? 'ok' : 'failing';
};

/** Reads what the last calls met. */
export const readHealth = (tenants: readonly Tenant[]): Health => {
  const list = tenants.map((tenant) => ({
    tenancyName: tenant.connection.tenancyName,
    status: statusOf(tenant),
    circuit: tenant.guard.state,
    callsUnderWay: tenant.guard.underWay,
    callsWaiting: tenant.guard.waiting,
    ...tenant.history,
  }));
  const has = (status: TenantHealth['status']) => list.some((tenant) => tenant.status === status);
  return { status: has('failing') ? 'failing' : has('ok') ? 'ok' : 'unknown', tenants: list };
};
