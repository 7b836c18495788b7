import { needed } from './difference.ts';
import { isInteger, isText } from './fieldTypes.ts';
import {
  addressOf,
  type Fields,
  idOf,
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
export type CheckContext = ReturnType<typeof createContext>;

/** The viewer of a key that names no other; no user of the tenant. */
export const unknownViewer = 'conformance@viewer.example';

export const mintPath = '/api/services/app/ItemLinks/CreateEncryptedKey';

const removalLimitMs = 15_000;

const defined = <TValue>(fields: Readonly<Record<string, TValue | undefined>>): Record<string, TValue> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

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
export const createContext = (target: Target, runId: string, signal?: AbortSignal) => {
  let used = 0;
  const userPaths = new Set<string>();

  /** A request to `{base_url}`; remembers the users that it creates. */
  const admin = async (method: string, path: string, request: AdminRequest = {}): Promise<Answer> => {
    const { body, tenant = target, authorization = `Bearer ${tenant.apiKey}` } = request;
    const answer = await send({
      method,
      url: addressOf(tenant.baseUrl, path),
      body,
      headers: {
        accept: 'application/json',
        ...(authorization !== null && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      signal: request.signal ?? signal,
    });
    if (tenant !== target || !isSuccess(answer)) return answer;
    const created = method === 'POST' && path === '/v1/users' ? unwrap(answer.json) : undefined;
    if (isFields(created)) userPaths.add(pathOf('v1', 'users', idOf(created)));
    if (method === 'DELETE') userPaths.delete(path);
    return answer;
  };

  /** The rows of a list of the administration. */
  const rowsOf = async (path: string, tenant: TenantAccess = target): Promise<readonly Fields[]> =>
    readListing(await admin('GET', path, { tenant })).rows;

  /** Item IDs of the reports with or without row-level security. */
  const reports = async (isFiltered: boolean): Promise<readonly number[]> =>
    (await rowsOf('/v1/items'))
      .filter((item) => item['type'] === 'report' && isInteger(item['id']) && hasRls(item) === isFiltered)
      .map(({ id }) => Number(id));

  /** Codes of the RLS roles. */
  const roleCodes = async (): Promise<readonly string[]> =>
    (await rowsOf('/v1/roles')).flatMap(({ type, code }) => (type === 'RLS' && isText(code) ? [code] : []));

  /** Item ID of a report that needs no roles. */
  const itemId = async (): Promise<number> =>
    target.itemId ?? needed((await reports(false))[0], 'a report without row-level security (--item-id)');

  /** CreateEncryptedKey. */
  const mint = async ({ value = {}, body, headers, tenant = target }: MintRequest = {}): Promise<Answer> =>
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
          ...('reportId' in value ? {} : { reportId: await itemId() }),
          ...value,
        }),
        ...defined({ passPhrase: tenant.passPhrase, tenancyName: tenant.tenancyName, ...body }),
      },
      signal,
    });

  return {
    target,
    admin,
    rowsOf,
    mint,
    itemId,
    roleCodes,
    /** Aborts when the checks must end. */
    signal,
    /** CreateEncryptedKey that must succeed; resolves to the key. */
    mintKey: async (request?: MintRequest): Promise<string> => {
      const answer = await mint(request);
      mustSucceed(answer, 'creating a key');
      return String(readResource(answer)['key']);
    },
    /** `{tenant_url}/report/<itemId>?ev=<key>`. */
    openReport: (id: number, key: string | null, tenant: TenantAccess = target): Promise<Answer> => {
      const query = key === null ? '' : `?ev=${encodeURIComponent(key)}`;
      const url = addressOf(tenant.tenantUrl, `/report/${id}${query}`);
      return send({ method: 'GET', url, headers: { accept: 'text/html' }, signal });
    },
    /** Item ID of another report. */
    otherItemId: async (): Promise<number> => {
      const [first, { otherItemId }] = [await itemId(), target];
      const others = otherItemId === undefined ? await reports(false) : [otherItemId];
      return needed(
        others.find((id) => id !== first),
        'a second report (--other-item-id)',
      );
    },
    /** Item ID of a report with row-level security. */
    rlsItemId: async (): Promise<number> =>
      target.rlsItemId ??
      needed((await reports(true))[0], 'a report with row-level security (--rls-item-id)'),
    /** The second tenant; a check that needs one has no result without it. */
    secondTenant: (): TenantAccess => needed(target.secondTenant, 'a second tenant (VITRINE_SECOND_…)'),
    /** A text that no earlier run has used. */
    unique: (prefix: string): string => `${prefix}-${runId}-${++used}`,
    /** Removes the users that the checks created and did not remove. Resolves to the paths of those that remain. */
    removeUsers: async (limit = AbortSignal.timeout(removalLimitMs)): Promise<readonly string[]> => {
      await Promise.allSettled([...userPaths].map((path) => admin('DELETE', path, { signal: limit })));
      return [...userPaths];
    },
  };
};
