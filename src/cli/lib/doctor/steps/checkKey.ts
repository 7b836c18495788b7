import { randomUUID } from 'node:crypto';
import {
  createKeyMinter,
  isPortalError,
  mintHint,
  type PortalConnection,
  type PortalError,
  Secret,
} from '@vitrine/portal-client';
import { type DoctorFacts, type DoctorStep, type DoctorWishes, failed, ok, skipped } from '../doctorStep.ts';

// A report that no tenant has: enough to learn whether the secrets are taken, without making a key.
const absentItemId = 2_147_483_647;
const lifetimeMs = 5 * 60_000;

type Attempt = NonNullable<DoctorFacts['mint']>;

const attempt = async (connection: PortalConnection, wishes: DoctorWishes): Promise<Attempt> => {
  const itemId = wishes.itemId ?? absentItemId;
  const { userId, roleNames, timeoutMs, now } = wishes;
  const minter = createKeyMinter(connection, { attemptTimeoutMs: timeoutMs, retry: false, now });
  try {
    return { itemId, minted: await minter.mint({ userId, roleNames, itemId, lifetimeMs }) };
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return { error };
  } finally {
    await minter.close();
  }
};

const sameRefusal = (one: PortalError, other: Attempt): boolean =>
  'error' in other &&
  other.error.kind === one.kind &&
  other.error.status === one.status &&
  other.error.message === one.message;

const errorOf = (facts: DoctorFacts): PortalError | undefined =>
  facts.mint !== undefined && 'error' in facts.mint ? facts.mint.error : undefined;

const unasked = (facts: DoctorFacts) =>
  facts.mint === undefined ? skipped('the API cannot be asked') : undefined;

/** Whether the tenant's number arrives: the header has a dot in its name, and some proxies drop such headers. */
export const checkTenantHeader: DoctorStep = {
  id: 'tenant_header',
  title: 'Tenant header',
  run: async (wishes, facts) => {
    const { connection } = facts;
    if (connection === undefined) return skipped('there is no connection to check');
    if (facts.unreachable.has(new URL(connection.apiBaseUrl).hostname))
      return skipped('the API cannot be reached');
    facts.mint = await attempt(connection, wishes);
    const error = errorOf(facts);
    if (error?.kind === 'network' || error?.kind === 'timeout')
      return failed(error.message, mintHint(error) ?? 'Try again; if it stays, ask whoever runs the portal.');
    if (error === undefined || error.kind === 'not_found') return ok(`${connection.tenantIdHeader} arrives`);
    const without = await attempt({ ...connection, tenantIdHeader: 'X-Vitrine-Doctor' }, wishes);
    return sameRefusal(error, without)
      ? failed(
          `the answer is the same with and without ${connection.tenantIdHeader}`,
          'If the API key is right, a proxy drops the header because of its dot. Let it through (nginx: ignore_invalid_headers off), or agree on another name and set VITRINE_TENANT_ID_HEADER.',
        )
      : ok(`${connection.tenantIdHeader} arrives`);
  },
};

/** Whether the API key is known to the portal. */
export const checkApiKey: DoctorStep = {
  id: 'api_key',
  title: 'API key',
  run: (_wishes, facts) => {
    const error = errorOf(facts);
    if (error?.kind === 'unauthorized')
      return failed(
        error.message,
        'Copy the key again from the portal into VITRINE_API_KEY. It belongs to one tenant: compare VITRINE_TENANT_ID.',
      );
    if (error?.kind === 'invalid_response')
      return failed(error.message, mintHint(error) ?? 'Check VITRINE_API_BASE_URL.');
    if (error !== undefined && ['network', 'timeout', 'server', 'rate_limited'].includes(error.kind))
      return skipped(error.message, 'Try again later; the portal gave no verdict.');
    return unasked(facts) ?? ok('accepted');
  },
};

/** Whether the API key may make keys. */
export const checkPermissions: DoctorStep = {
  id: 'permissions',
  title: 'Permissions',
  run: (_wishes, facts) => {
    const error = errorOf(facts);
    if (error?.kind === 'forbidden')
      return failed(error.message, mintHint(error) ?? 'Give the API key the permissions of interface 4.6.');
    return error !== undefined && !verdicts.has(error.kind)
      ? skipped('the portal did not come to this question')
      : (unasked(facts) ?? ok('enough to create keys'));
  },
};

const verdicts = new Set(['business', 'invalid', 'not_found']);

/** Whether passphrase and tenancy name are right, and which of the two is not. */
export const checkPassPhrase: DoctorStep = {
  id: 'passphrase',
  title: 'Passphrase and name',
  run: async (wishes, facts) => {
    const { connection } = facts;
    const error = errorOf(facts);
    if (error?.kind === 'business' && connection !== undefined) {
      const wrong: readonly [Secret] = [new Secret(randomUUID())];
      const withWrong = await attempt({ ...connection, passPhrases: wrong }, wishes);
      return sameRefusal(error, withWrong)
        ? failed(error.message, 'Copy the passphrase of the tenant again into VITRINE_PASSPHRASE.')
        : failed(
            error.message,
            'The passphrase is taken; compare VITRINE_TENANCY_NAME with the subdomain of the tenant.',
          );
    }
    return error !== undefined && !verdicts.has(error.kind)
      ? skipped('the portal did not come to this question')
      : (unasked(facts) ?? ok('accepted'));
  },
};

/** A command that goes on from here: the report wants a role, and only the portal of `npm start` is known to have this one. */
const exampleFor = ({ isDev }: DoctorWishes): string =>
  isDev
    ? 'vitrine doctor --dev --item 1042 --role all-regions'
    : 'vitrine doctor --item 1042, and --role with an RLS role if the report wants one';

/** Whether a key is made for the report that was named. */
export const checkKey: DoctorStep = {
  id: 'key',
  title: 'Key',
  run: (wishes, facts) => {
    const { itemId, roleNames } = wishes;
    const error = errorOf(facts);
    if (facts.mint === undefined) return skipped('the API cannot be asked');
    if (itemId === undefined)
      return skipped('no report named', `Name one to go on from here: ${exampleFor(wishes)}`);
    if (error?.kind === 'not_found')
      return failed(
        `the tenant has no report ${itemId}`,
        'Take the number of a report from the portal for --item.',
      );
    if (error?.kind === 'invalid')
      return failed(
        error.message,
        roleNames.length === 0
          ? 'The report may have row-level security, which wants a role: add --role with the code of an RLS role.'
          : 'Compare --role with the codes of the RLS roles, and --user with the users of the portal.',
      );
    if (error !== undefined) return skipped('the portal refused before that');
    return ok(`made for report ${itemId}`);
  },
};
