import { type CheckContext, createContext } from './createContext.ts';
import { readListing } from './readers.ts';
import { type Answer, send } from './send.ts';
import type { Target, TenantAccess } from './target.ts';

/**
 * A sentence about a value of the configuration that is certainly wrong: nothing responds, every list refuses the key or
 * is not there, or no key can be created. The checks would take it for differences, or for conformance.
 */
export const findMistake = async (target: Target, signal: AbortSignal): Promise<string | undefined> => {
  const context = createContext(target, 'start', signal);
  const silent = await findSilent(target, signal);
  if (silent !== undefined) return silent;
  for (const [tenant, prefix] of [
    [target, 'VITRINE_'],
    [target.secondTenant, 'VITRINE_SECOND_'],
  ] as const) {
    if (tenant === undefined) continue;
    const refusal = await findRefusal(context, tenant, prefix);
    const mistake = refusal ?? (await findKeyMistake(context, tenant, prefix));
    if (mistake !== undefined) return mistake;
  }
  return undefined;
};

const findSilent = async (target: Target, signal: AbortSignal): Promise<string | undefined> => {
  const { baseUrl, apiBaseUrl, tenantUrl } = target;
  for (const [name, url] of Object.entries({ baseUrl, apiBaseUrl, tenantUrl }))
    try {
      await send({ method: 'GET', url: new URL(url).origin, signal });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const variable = `VITRINE_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
      return `No portal responds at ${new URL(url).origin} (${reason}). Check ${variable} and that the portal runs.`;
    }
  return undefined;
};

/** The status of an answer, or the one in its envelope: a service may answer an error with 200. */
const statusOf = ({ status, json }: Answer): number => {
  const { success, error } = Object(json);
  return status < 300 && success === false ? Number(Object(error).code ?? 400) : status;
};

/** Only if every list is refused for the same reason: anything else may be a difference, which the checks find. */
const findRefusal = async (
  { admin }: CheckContext,
  tenant: TenantAccess,
  prefix: string,
): Promise<string | undefined> => {
  const lists = ['items', 'roles', 'users'].map((list) => admin('GET', `/v1/${list}`, { tenant }));
  const answers = await Promise.all(lists.map((list) => list.catch(() => undefined)));
  const [status = 0, ...others] = answers.map((answer) => answer && statusOf(answer));
  if (others.some((other) => other !== status)) return undefined;
  if (status === 401)
    return `The portal rejects ${prefix}API_KEY (status 401). Copy the API key of the tenant from the portal again.`;
  if (status === 403)
    return `The portal rejects ${prefix}API_KEY (status 403). It needs permissions for the administration of this tenant.`;
  const [answer] = answers;
  if (answer === undefined) return undefined;
  const isPage = status < 300 && answer.json === undefined;
  return isPage || (status >= 300 && status < 400) || status === 404
    ? `${tenant.baseUrl.replace(/[?#].*|\/+$/g, '')} is not the administration API (status ${status} for /v1/items). Check VITRINE_BASE_URL.`
    : undefined;
};

const findKeyMistake = async (
  context: CheckContext,
  tenant: TenantAccess,
  prefix: string,
): Promise<string | undefined> => {
  const { target, admin, mint } = context;
  if (!target.permits.has('mint')) return undefined;
  const readAny = async () => readListing(await admin('GET', '/v1/items', { tenant })).rows[0]?.['id'];
  const reportId = await (tenant === target ? context.itemId() : readAny()).catch(() => undefined);
  const answer = await mint({ tenant, value: { reportId } }).catch(() => undefined);
  if (typeof reportId !== 'number' || answer === undefined) return undefined;
  if (![400, 401, 403, 404].includes(answer.status) && Object(answer.json).success !== false)
    return undefined;
  const names = ['TENANT_ID', 'TENANCY_NAME', 'PASSPHRASE'].map((name) => prefix + name).join(', ');
  return `The portal creates no key for report ${reportId} (status ${answer.status}). Check ${names} and VITRINE_API_BASE_URL, with: vitrine doctor --item ${reportId}`;
};
