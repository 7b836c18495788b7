import { createContext } from './createContext.ts';
import { isInteger } from './fieldTypes.ts';
import { isSuccess, readListing } from './readers.ts';
import { type Answer, send } from './send.ts';
import type { Target } from './target.ts';

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
  const second = target.secondTenant && { ...target, itemId: undefined, ...target.secondTenant };
  const mistakes = await Promise.allSettled([
    findMistakeOf(target, 'VITRINE_', signal),
    second && findMistakeOf(second, 'VITRINE_SECOND_', signal),
  ]);
  // What else is wrong, the checks find.
  return mistakes.flatMap((one) => (one.status === 'fulfilled' ? one.value : undefined) ?? []).at(0);
};

const findMistakeOf = async (
  target: Target,
  prefix: string,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const { admin, mint } = createContext(target, 'start', signal);
  const lists = ['items', 'roles', 'users'].map((list) => admin('GET', `/v1/${list}`));
  const [items, ...others] = await Promise.all(lists);
  const isRead = (answer: Answer) => answer.json !== undefined && isSuccess(answer);
  // One list that can be read is enough: the checks find what is wrong with another.
  if (items !== undefined && ![items, ...others].some(isRead))
    return `No list of the administration can be read at ${target.baseUrl} (status ${items.status} for /v1/items). Check VITRINE_BASE_URL, ${prefix}API_KEY and the permissions of this key.`;
  if (!target.permits.has('mint') || items === undefined || !isRead(items)) return undefined;
  const ids = readListing(items).rows.map(({ id }) => id);
  const { itemId: reportId = ids.find(isInteger) } = target;
  if (reportId === undefined) return undefined;
  const key = await mint({ value: { reportId } });
  if (isSuccess(key) || key.status > 500) return undefined;
  const names = ['TENANT_ID', 'TENANCY_NAME', 'PASSPHRASE'].map((name) => prefix + name).join(', ');
  return `The portal creates no key for report ${reportId} (status ${key.status}). Check ${names} and VITRINE_API_BASE_URL, with: vitrine doctor --item ${reportId}`;
};
