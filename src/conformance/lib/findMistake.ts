import { type CheckContext, createContext } from './createContext.ts';
import { isInteger } from './fieldTypes.ts';
import { readListing } from './readers.ts';
import { type Answer, send } from './send.ts';
import type { Target, TenantAccess } from './target.ts';

/**
 * Says which address of a service gives no answer to a plain request (any status is one), why, and what to check: a part
 * of a sentence.
 */
export const findSilence = async (target: Target, signal?: AbortSignal): Promise<string | undefined> => {
  const { baseUrl: BASE_URL, apiBaseUrl: API_BASE_URL, tenantUrl: TENANT_URL } = target;
  for (const [name, url] of Object.entries({ BASE_URL, API_BASE_URL, TENANT_URL })) {
    const { origin } = new URL(url);
    try {
      await send({ method: 'GET', url: origin, signal });
    } catch (error) {
      return `${origin} (${Object(error).message}). Check VITRINE_${name} and that the portal runs`;
    }
  }
  return undefined;
};

/**
 * A sentence about a value of the configuration that is certainly wrong: nothing responds, every list refuses the key or
 * is not there, or no key can be created. The checks would take it for differences, or for conformance.
 */
export const findMistake = async (target: Target, signal: AbortSignal): Promise<string | undefined> => {
  const silence = await findSilence(target, signal);
  if (silence !== undefined) return `No portal responds at ${silence}.`;
  const context = createContext(target, 'start', signal);
  const ofFirst = await findMistakeOf(context, target, 'VITRINE_');
  if (ofFirst !== undefined || target.secondTenant === undefined) return ofFirst;
  return findMistakeOf(context, target.secondTenant, 'VITRINE_SECOND_');
};

/** The status of an answer, or the one in its envelope: a service may answer an error with 200. */
const statusOf = ({ status, json }: Answer): number => {
  const { success, error } = Object(json);
  return status < 300 && success === false ? Number(Object(error).code ?? 400) : status;
};

const findMistakeOf = async (
  { admin, mint, target }: CheckContext,
  tenant: TenantAccess,
  prefix: string,
): Promise<string | undefined> => {
  const lists = ['items', 'roles', 'users'].map((list) => admin('GET', `/v1/${list}`, { tenant }));
  const answers = await Promise.all(lists.map((list) => list.catch(() => undefined)));
  const [status = 0, ...others] = answers.map((answer) => answer && statusOf(answer));
  const [answer] = answers;
  // Only if every list has the same status: anything else may be a difference, which the checks find.
  if (answer === undefined || others.some((other) => other !== status)) return undefined;
  if (status === 401)
    return `The portal rejects ${prefix}API_KEY (status 401). Copy the API key of the tenant from the portal again.`;
  if (status === 403)
    return `The portal rejects ${prefix}API_KEY (status 403). It needs permissions for the administration of this tenant.`;
  if ((status < 300 && answer.json === undefined) || (status >= 300 && status < 400) || status === 404)
    return `${tenant.baseUrl.replace(/[?#].*|\/+$/g, '')} is not the administration API (status ${status} for /v1/items). Check VITRINE_BASE_URL.`;
  if (!target.permits.has('mint') || status >= 300) return undefined;
  const named = tenant === target ? target.itemId : undefined;
  const reportId =
    named ??
    readListing(answer)
      .rows.map(({ id }) => id)
      .find(isInteger);
  const key = await mint({ tenant, value: { reportId } }).catch(() => undefined);
  if (reportId === undefined || ![400, 401, 403, 404, 500].includes(key ? statusOf(key) : 0))
    return undefined;
  const names = ['TENANT_ID', 'TENANCY_NAME', 'PASSPHRASE'].map((name) => prefix + name).join(', ');
  return `The portal creates no key for report ${reportId} (status ${key?.status}). Check ${names} and VITRINE_API_BASE_URL, with: vitrine doctor --item ${reportId}`;
};
