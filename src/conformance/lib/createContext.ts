import { need } from './difference.ts';
import {
  addressOf,
  type Fields,
  isFields,
  isSuccess,
  mustSucceed,
  pathOf,
  readListing,
  readResource,
  unwrap,
} from './readers.ts';
import { type Answer, send } from './send.ts';
import type { Target, TenantAccess } from './target.ts';

/** An administration request. */
export interface AdminRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whole Authorization value; `null` sends none. Default: the tenant's key as a Bearer token. */
  readonly authorization?: string | null;
  /** Default: the checked tenant. */
  readonly tenant?: TenantAccess;
  /** Default: the signal of the context. */
  readonly signal?: AbortSignal | undefined;
}

/** A request for an encrypted key: the valid one, with a check's changes; `undefined` omits a field or a header. */
export interface MintRequest {
  /** Changes of `value`. */
  readonly value?: Fields;
  /** Changes of the body besides `value`. */
  readonly body?: Fields;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly tenant?: TenantAccess;
}

/** Helpers for checks. */
export interface CheckContext {
  readonly target: Target;
  /** A request to `{base_url}`. */
  readonly admin: (method: string, path: string, request?: AdminRequest) => Promise<Answer>;
  /** CreateEncryptedKey. */
  readonly mint: (request?: MintRequest) => Promise<Answer>;
  /** CreateEncryptedKey that must succeed; resolves to the key. */
  readonly mintKey: (request?: MintRequest) => Promise<string>;
  /** `{tenant_url}/report/<itemId>?ev=<key>`. */
  readonly openReport: (itemId: number, key: string | null, tenant?: TenantAccess) => Promise<Answer>;
  /** Item ID of a report that needs no roles. */
  readonly itemId: () => Promise<number>;
  /** Item ID of another report. */
  readonly otherItemId: () => Promise<number>;
  /** A report with row-level security and a role for it. */
  readonly rls: () => Promise<{ readonly itemId: number; readonly roleName: string }>;
  /** The second tenant; a check that needs one has no result without it. */
  readonly secondTenant: () => TenantAccess;
  /** A text that no earlier run has used. */
  readonly unique: (prefix: string) => string;
  /** Aborts when the checks must end. */
  readonly signal: AbortSignal | undefined;
  /** Removes the users that the checks created and did not remove. Resolves to the paths of those that remain. */
  readonly removeUsers: (signal?: AbortSignal) => Promise<readonly string[]>;
}

/** The viewer of a key that names no other; no user of the tenant. */
export const unknownViewer = 'conformance@viewer.example';

export const mintPath = '/api/services/app/ItemLinks/CreateEncryptedKey';

const removalLimitMs = 15_000;

const defined = <TValue>(fields: Readonly<Record<string, TValue | undefined>>): Record<string, TValue> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

const isReport = (item: Fields): boolean => item['type'] === 'report' && typeof item['id'] === 'number';
const hasRls = ({ additionalData }: Fields): boolean =>
  Array.isArray(additionalData) && additionalData.some((entry) => Object(entry).hasRls === true);

/**
 * Creates the helpers for one target. `runId` makes the names of a run unique; `signal` cancels its requests.
 *
 * @example
 * ```ts
 * import { checks, createContext, runChecks, type Target } from '@vitrine/conformance';
 *
 * export const differences = async (target: Target) => {
 *   const results = await runChecks(checks, createContext(target, crypto.randomUUID()));
 *   return results.filter(({ finding }) => finding.outcome === 'differs');
 * };
 * ```
 */
export const createContext = (target: Target, runId: string, signal?: AbortSignal): CheckContext => {
  let used = 0;
  const userPaths = new Set<string>();
  const noteUser = (method: string, path: string, answer: Answer): void => {
    if (!isSuccess(answer)) return;
    const created = method === 'POST' && path === '/v1/users' ? unwrap(answer.json) : undefined;
    const id = isFields(created) ? (created['id'] ?? created['userId']) : undefined;
    if (typeof id === 'number' || typeof id === 'string') userPaths.add(pathOf('v1', 'users', String(id)));
    if (method === 'DELETE') userPaths.delete(path);
  };
  const admin: CheckContext['admin'] = async (method, path, request = {}) => {
    const { body, headers, authorization, tenant = target } = request;
    const answer = await send({
      method,
      url: addressOf(tenant.baseUrl, path),
      body,
      headers: defined({
        accept: 'application/json',
        authorization: authorization === null ? undefined : (authorization ?? `Bearer ${tenant.apiKey}`),
        'content-type': body === undefined ? undefined : 'application/json',
        ...headers,
      }),
      signal: request.signal ?? signal,
    });
    if (tenant === target) noteUser(method, path, answer);
    return answer;
  };
  /** The named item, or the first one in the list that fits. */
  const findItem = async (
    named: number | undefined,
    fits: (item: Fields) => boolean,
    what: string,
  ): Promise<number> => {
    if (named !== undefined) return named;
    const id = readListing(await admin('GET', '/v1/items')).rows.find(
      (item) => isReport(item) && fits(item),
    )?.['id'];
    need(typeof id === 'number', `needs ${what}`);
    return id;
  };
  const itemId = () =>
    findItem(target.itemId, (item) => !hasRls(item), 'a report without row-level security (--item-id)');
  const mint: CheckContext['mint'] = async ({ value, body, headers, tenant = target } = {}) =>
    send({
      method: 'POST',
      url: addressOf(tenant.apiBaseUrl, mintPath),
      headers: defined({
        [target.tenantIdHeader]: String(tenant.tenantId),
        Authorization: `ApiKey ${tenant.apiKey}`,
        'Content-Type': 'application/json',
        ...headers,
      }),
      body: {
        value: defined({
          userId: unknownViewer,
          ...(value !== undefined && 'reportId' in value ? {} : { reportId: await itemId() }),
          ...value,
        }),
        ...defined({ passPhrase: tenant.passPhrase, tenancyName: tenant.tenancyName, ...body }),
      },
      signal,
    });

  return {
    target,
    admin,
    mint,
    itemId,
    mintKey: async (request) => {
      const answer = await mint(request);
      mustSucceed(answer, 'creating a key');
      return String(readResource(answer)['key']);
    },
    openReport: (id, key, tenant = target) => {
      const query = key === null ? '' : `?ev=${encodeURIComponent(key)}`;
      const url = addressOf(tenant.tenantUrl, `/report/${id}${query}`);
      return send({ method: 'GET', url, headers: { accept: 'text/html' }, signal });
    },
    otherItemId: async () => {
      const first = await itemId();
      const isOther = (item: Fields) => !hasRls(item) && item['id'] !== first;
      const id = await findItem(target.otherItemId, isOther, 'a second report (--other-item-id)');
      need(id !== first, 'needs a second report (--other-item-id)');
      return id;
    },
    rls: async () => {
      const id = await findItem(target.rlsItemId, hasRls, 'a report with row-level security (--rls-item-id)');
      const roles = target.roleName === undefined ? readListing(await admin('GET', '/v1/roles')).rows : [];
      const roleName = target.roleName ?? roles.find((role) => role['type'] === 'RLS')?.['code'];
      need(typeof roleName === 'string', 'needs an RLS role (--role-name)');
      return { itemId: id, roleName };
    },
    secondTenant: () => {
      need(target.secondTenant !== undefined, 'needs a second tenant (VITRINE_SECOND_…)');
      return target.secondTenant;
    },
    signal,
    removeUsers: async (limit = AbortSignal.timeout(removalLimitMs)) => {
      await Promise.allSettled([...userPaths].map((path) => admin('DELETE', path, { signal: limit })));
      return [...userPaths];
    },
    unique: (prefix) => `${prefix}-${runId}-${++used}`,
  };
};
