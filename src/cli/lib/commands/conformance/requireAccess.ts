import {
  type Answer,
  type CheckContext,
  createContext,
  isFields,
  type Target,
  type TenantAccess,
} from '@vitrine/conformance';
import { explain } from '@vitrine/contract/service';
import { UsageError } from '../../output/usageError.ts';

const lists = ['/v1/items', '/v1/roles', '/v1/users'] as const;

/** The status of an answer, or the one in its envelope: a service may answer an error with 200. */
const statusOf = ({ status, json }: Answer): number => {
  const error = isFields(json) && json['success'] === false ? json['error'] : undefined;
  const code = isFields(error) ? error['code'] : undefined;
  return status < 300 && typeof code === 'number' ? code : status;
};

/** What of the configuration an answer speaks against. */
const suspectOf = (answer: Answer): 'key' | 'address' | undefined => {
  const status = statusOf(answer);
  if (status === 401 || status === 403) return 'key';
  const isElsewhere = status === 404 || (status >= 300 && status < 400);
  return isElsewhere || (status < 300 && isWebPage(answer)) ? 'address' : undefined;
};

const isWebPage = ({ headers, json }: Answer): boolean =>
  json === undefined && (headers['content-type'] ?? '').includes('text/html');

const keyAdvice = (status: number): string =>
  status === 403
    ? explain({ code: 'permission_missing' }, 'variable').check
    : 'Copy the API key of the tenant from the portal again.';

/** An address without credentials and query. */
const shown = (address: string): string => {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
};

const requireAccessTo = async (
  admin: CheckContext['admin'],
  tenant: TenantAccess,
  keyVariable: string,
): Promise<void> => {
  let first: { readonly answer: Answer; readonly suspect: 'key' | 'address' } | undefined;
  for (const list of lists) {
    const answer = await admin('GET', list, { tenant }).catch(() => undefined);
    const suspect = answer && suspectOf(answer);
    if (answer === undefined || suspect === undefined) return;
    first ??= { answer, suspect };
    if (first.suspect !== suspect) return;
  }
  if (first === undefined) return;
  const status = statusOf(first.answer);
  throw new UsageError(
    first.suspect === 'key'
      ? `The portal rejects ${keyVariable} (status ${status}). ${keyAdvice(status)}`
      : `${shown(tenant.baseUrl)} is not the administration API (status ${status}${isWebPage(first.answer) ? ', a web page' : ''} for ${lists[0]}). Check --base-url (or VITRINE_BASE_URL).`,
  );
};

/**
 * Throws a {@link UsageError} if every list is refused for the same reason: the key is wrong, or the address. Anything
 * else may be a difference, so the checks decide, also when nothing answers.
 */
export const requireAccess = async (target: Target, signal: AbortSignal): Promise<void> => {
  const { admin } = createContext(target, 'access', signal);
  await requireAccessTo(admin, target, 'VITRINE_API_KEY');
  if (target.secondTenant !== undefined)
    await requireAccessTo(admin, target.secondTenant, 'VITRINE_SECOND_API_KEY');
};
