import { must, needed } from './difference.ts';
import { isInteger, isText } from './fieldTypes.ts';
import {
  addressOf,
  type Fields,
  idOf,
  isFields,
  isSuccess,
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
}

/** Helpers for checks. */
export type CheckContext = ReturnType<typeof createContext>;

/** The viewer of a key that names no other; no user of the tenant. */
export const unknownViewer = 'conformance@viewer.example';

export const mintPath = '/api/services/app/ItemLinks/CreateEncryptedKey';

const removalLimitMs = 15_000;

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
    if (isFields(created)) {
      const { email } = Object(body);
      // Otherwise the checks would change or remove a user that they did not create.
      must((created['email'] ?? email) === email, `the created user ${email}`, created);
      userPaths.add(pathOf('v1', 'users', idOf(created)));
    }
    if (method === 'DELETE') userPaths.delete(path);
    return answer;
  };

  /** The rows of a list of the administration. */
  const rowsOf = async (path: string, tenant: TenantAccess = target): Promise<readonly Fields[]> =>
    readListing(await admin('GET', path, { tenant })).rows;

  /** Item ID of a report with or without row-level security, other than one. */
  const reportId = async (isFiltered: boolean, what: string, except?: number): Promise<number> => {
    const items = (await rowsOf('/v1/items')).filter((item) => hasRls(item) === isFiltered);
    const ids = items.filter(({ type }) => type === 'report').map(({ id }) => id);
    const found = ids.filter(isInteger).find((id) => id !== except);
    return needed(found, what);
  };

  /** Codes of the RLS roles. */
  const roleCodes = async (): Promise<readonly string[]> =>
    (await rowsOf('/v1/roles')).flatMap(({ type, code }) => (type === 'RLS' && isText(code) ? [code] : []));

  /** Item ID of a report that needs no roles. */
  const itemId = async (): Promise<number> =>
    target.itemId ?? reportId(false, 'a report without row-level security (--item-id)', target.otherItemId);

  /** CreateEncryptedKey. */
  const mint = async ({ value = {}, body, headers }: MintRequest = {}): Promise<Answer> =>
    send({
      method: 'POST',
      url: addressOf(target.apiBaseUrl, mintPath),
      headers: {
        [target.tenantIdHeader]: String(target.tenantId),
        Authorization: `ApiKey ${target.apiKey}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body: {
        value: {
          userId: unknownViewer,
          ...(!('reportId' in value) && { reportId: await itemId() }),
          ...value,
        },
        passPhrase: target.passPhrase,
        tenancyName: target.tenancyName,
        ...body,
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
    mintKey: async (request?: MintRequest): Promise<string> =>
      String(readResource(await mint(request))['key']),
    /** `{tenant_url}/report/<itemId>?ev=<key>`. */
    openReport: (id: number, key: string | null, tenant: TenantAccess = target): Promise<Answer> => {
      const query = key === null ? '' : `?ev=${encodeURIComponent(key)}`;
      const url = addressOf(tenant.tenantUrl, `/report/${id}${query}`);
      return send({ method: 'GET', url, headers: { accept: 'text/html' }, signal });
    },
    /** Item ID of another report. */
    otherItemId: async (): Promise<number> =>
      target.otherItemId ?? reportId(false, 'a second report (--other-item-id)', await itemId()),
    /** Item ID of a report with row-level security. */
    rlsItemId: async (): Promise<number> =>
      target.rlsItemId ?? reportId(true, 'a report with row-level security (--rls-item-id)'),
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
