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

/** A request for an encrypted key: the valid one, with a check's changes. */
export interface MintRequest {
  /** Overrides of the valid `value`; `undefined` omits a field. */
  readonly value?: Fields;
  /** Overrides of the valid body besides `value`; `undefined` omits a field. */
  readonly body?: Fields;
  /** Overrides of the valid headers; `undefined` omits a header. */
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

const withoutUndefined = <TValue>(
  fields: Readonly<Record<string, TValue | undefined>>,
): Record<string, TValue> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<
    string,
    TValue
  >;

const isReport = (item: Fields): boolean => item['type'] === 'report' && typeof item['id'] === 'number';
const hasRls = (item: Fields): boolean =>
  Array.isArray(item['additionalData']) &&
  item['additionalData'].some((entry) => isFields(entry) && entry['hasRls'] === true);

/** Creates the helpers for one target. `runId` makes the names of a run unique; `signal` cancels its requests. */
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
      headers: withoutUndefined({
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
  const items = async () => readListing(await admin('GET', '/v1/items')).rows;
  const reports = async () => (await items()).filter((item) => isReport(item) && !hasRls(item));

  const itemId = async () => {
    const id = target.itemId ?? (await reports())[0]?.['id'];
    need(typeof id === 'number', 'needs a report without row-level security: name one (--item-id)');
    return id;
  };
  const mint: CheckContext['mint'] = async ({ value, body, headers, tenant = target } = {}) =>
    send({
      method: 'POST',
      url: addressOf(tenant.apiBaseUrl, mintPath),
      headers: withoutUndefined({
        [target.tenantIdHeader]: String(tenant.tenantId),
        Authorization: `ApiKey ${tenant.apiKey}`,
        'Content-Type': 'application/json',
        ...headers,
      }),
      body: {
        value: withoutUndefined({
          userId: unknownViewer,
          reportId: value && 'reportId' in value ? value['reportId'] : await itemId(),
          ...value,
        }),
        ...withoutUndefined({ passPhrase: tenant.passPhrase, tenancyName: tenant.tenancyName, ...body }),
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
    openReport: (id, key, tenant = target) =>
      send({
        method: 'GET',
        url: addressOf(
          tenant.tenantUrl,
          `/report/${id}${key === null ? '' : `?ev=${encodeURIComponent(key)}`}`,
        ),
        headers: { accept: 'text/html' },
        signal,
      }),
    otherItemId: async () => {
      const first = await itemId();
      const id = target.otherItemId ?? (await reports()).find((item) => item['id'] !== first)?.['id'];
      need(typeof id === 'number' && id !== first, 'needs a second report: name one (--other-item-id)');
      return id;
    },
    rls: async () => {
      const id = target.rlsItemId ?? (await items()).find((item) => isReport(item) && hasRls(item))?.['id'];
      need(typeof id === 'number', 'needs a report with row-level security: name one (--rls-item-id)');
      const roles = target.roleName === undefined ? readListing(await admin('GET', '/v1/roles')).rows : [];
      const roleName = target.roleName ?? roles.find((role) => role['type'] === 'RLS')?.['code'];
      need(typeof roleName === 'string', 'needs an RLS role: name one (--role-name)');
      return { itemId: id, roleName };
    },
    signal,
    removeUsers: async (limit = AbortSignal.timeout(removalLimitMs)) => {
      await Promise.allSettled([...userPaths].map((path) => admin('DELETE', path, { signal: limit })));
      return [...userPaths];
    },
    unique: (prefix) => `${prefix}-${runId}-${++used}`,
  };
};
