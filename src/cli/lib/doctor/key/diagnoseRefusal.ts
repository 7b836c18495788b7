import { randomUUID } from 'node:crypto';
import { mintPermissions } from '@vitrine/contract';
import {
  createRedactor,
  namedPermissions,
  type PortalConnection,
  type PortalError,
  type PortalErrorKind,
  type RefusedPart,
  refusedPart,
  Secret,
} from '@vitrine/portal-client';
import type { DoctorOptions } from '../doctorOptions.ts';
import { attemptKey, isSameRefusal } from './attemptKey.ts';
import type { Finding, KeyCheck, Patient } from './finding.ts';

/** A refusal, and the means to examine it. */
interface Examination extends Patient {
  readonly error: PortalError;
  /** Whether the portal answers the same after a change. */
  readonly isSameWith: (change: Partial<PortalConnection>) => Promise<boolean>;
  readonly find: (check: KeyCheck, next: string, detail?: string) => Finding;
}

type Examine = (examination: Examination) => Promise<Finding | undefined> | Finding | undefined;

const withoutHeader = { tenantIdHeader: 'X-Vitrine-Doctor' };

/** The header is lost, or its number is wrong: the portal may answer both alike, and the number is quickly compared. */
const examineHeader = async (examination: Examination): Promise<Finding> => {
  const { error, find, connection, isSameWith } = examination;
  const compare = `Compare VITRINE_TENANT_ID (now ${connection.tenantId}) with the ID of the tenant in the portal.`;
  if (!(await isSameWith(withoutHeader))) return find('tenant_header', compare);
  return /missing|required/i.test(error.message)
    ? droppedHeader(examination)
    : find('tenant_header', `${compare} If it is right: ${headerAdvice(connection)}`);
};

const droppedHeader = ({ find, connection }: Examination): Finding =>
  find(
    'tenant_header',
    headerAdvice(connection),
    `the portal does not receive the header ${connection.tenantIdHeader}`,
  );

const examineUnauthorized: Examine = async (examination) => {
  const { error, find, connection, isSameWith } = examination;
  if (/permission/i.test(error.message)) return find('permissions', permissionAdvice(error));
  // A portal that knows the key answers differently for a key that nobody has.
  const isKeyKnown = !(await isSameWith({ apiKeys: [wrongSecret()] }));
  if (isKeyKnown && /tenancy/i.test(error.message)) return find('passphrase', nameAdvice(connection));
  if (!(await isSameWith(withoutHeader))) return find('api_key', keyAdvice(connection));
  return isKeyKnown
    ? examineHeader(examination)
    : find('api_key', `${keyAdvice(connection)} If both are right: ${headerAdvice(connection)}`);
};

const examineForbidden: Examine = async ({ find, error, connection, options }) => {
  if (
    options.itemId !== undefined &&
    namedPermissions(error).length === 0 &&
    !/permission/i.test(error.message)
  ) {
    const other = await attemptKey(connection, { ...options, itemId: undefined });
    // A portal that finds another report absent has let the API key pass.
    if ('error' in other && other.error.kind === 'not_found')
      return find(
        'key',
        `Share report ${options.itemId} with the user or its role in the portal, and compare --user and --role. If it is shared: ${permissionAdvice(error)}`,
      );
  }
  return find('permissions', permissionAdvice(error));
};

const examineNotFound: Examine = ({ find, options }) =>
  options.itemId === undefined
    ? undefined
    : find(
        'key',
        `There is no report ${options.itemId} in this tenant. Set --item to the number in the portal, not to the GUID.`,
      );

/** What to do about a part that the portal's words name. */
const findPart = (part: RefusedPart, examination: Examination): Promise<Finding> | Finding => {
  const { error, find, connection, options } = examination;
  switch (part) {
    case 'tenant_header':
      return examineHeader(examination);
    case 'api_key':
      return find('api_key', `${keyAdvice(connection)} If it has expired, create a new one there.`);
    case 'passphrase':
      return find('passphrase', passPhraseAdvice(examination));
    case 'tenancy_name':
      return find('passphrase', nameAdvice(connection));
    case 'expiration':
      return find(
        'key',
        'The doctor requests a key for 45 minutes, the default. Shorten keyLifetime in the host, and synchronize the clocks of both machines (NTP).',
      );
    case 'report':
      return find(
        'key',
        `${error.kind === 'invalid' ? 'Compare --item with the number of the report in the portal. If it is right: s' : 'S'}hare report ${options.itemId ?? '--item'} with the user or its role in the portal, and compare --user and --role.`,
      );
    case 'roles':
      return find('key', identityAdvice(options));
    case 'user':
      return find(
        'key',
        `Set --user to a user of the portal (now "${options.userId}"). If it is one: ${identityAdvice(options)}`,
      );
  }
};

const identityAdvice = ({ roleNames }: DoctorOptions): string =>
  roleNames.length === 0
    ? 'The report may require a role for row-level security: add --role with the code of an RLS role. Otherwise compare --user with the users of the portal.'
    : 'Compare --role with the codes of the RLS roles, and --user with the users of the portal.';

const examineInvalid: Examine = async (examination) => {
  const { error, find, options, isSameWith } = examination;
  const part = refusedPart(error);
  if ((part === undefined || part === 'tenancy_name') && (await isSameWith(withoutHeader)))
    return examineHeader(examination);
  return part === undefined ? find('key', identityAdvice(options)) : findPart(part, examination);
};

const examineBusiness: Examine = async (examination) => {
  const { error, find, connection, options, isSameWith } = examination;
  const isAnyPassPhrase = await isSameWith({ passPhrases: [wrongSecret()] });
  const isAnyName = await isSameWith({ tenancyName: `no-${randomUUID().slice(0, 8)}` });
  if (isAnyPassPhrase && isAnyName) {
    // The portal refuses before it has compared both: only its words are left as evidence.
    const part = refusedPart(error);
    if (part !== undefined && part !== 'tenancy_name') return findPart(part, examination);
    if (part === undefined && hasReason(error))
      return find(
        'key',
        `The portal sends its own message, also with another passphrase and tenancy name: ask its operator. If this does not help: ${nameAdvice(connection)} Then copy the passphrase again.`,
      );
    const isAnyHeader = await isSameWith(withoutHeader);
    // No evidence that the header is lost: the portal may not have looked at it. So it comes last.
    const header = isAnyHeader
      ? ` If all of this is right: the portal responds the same without the header ${connection.tenantIdHeader}, so it may not receive it. ${headerAdvice(connection)}`
      : '';
    const report =
      part !== undefined || options.itemId === undefined
        ? ''
        : ` The portal gives no reason: if both are right, check that report ${options.itemId} exists and is shared with --user.`;
    const phrase = part === undefined ? ' Then copy the passphrase again.' : '';
    const finding = find('passphrase', `${nameAdvice(connection)}${phrase}${report}${header}`);
    return isAnyHeader ? { ...finding, isBlind: true } : finding;
  }
  if (isAnyPassPhrase) return find('passphrase', passPhraseAdvice(examination));
  if (isAnyName) return find('passphrase', nameAdvice(connection));
  const part = refusedPart(error);
  if (part === 'roles' || part === 'user' || part === 'expiration') return findPart(part, examination);
  const isOwnReason = part === undefined && hasReason(error);
  return find(
    'key',
    isOwnReason
      ? `Passphrase and name are accepted. The portal sends its own message: ask its operator. If this does not help: share report ${options.itemId ?? '--item'} with the user or its role in the portal.`
      : options.itemId === undefined
        ? 'Passphrase and name are accepted, but not this user. Check --user with the operator of the portal.'
        : `Passphrase and name are accepted, but not this report. Share report ${options.itemId} with the user or its role in the portal, and compare --user and --role.`,
  );
};

const examinations: Readonly<Partial<Record<PortalErrorKind, Examine>>> = {
  unauthorized: examineUnauthorized,
  forbidden: examineForbidden,
  not_found: examineNotFound,
  invalid: examineInvalid,
  business: examineBusiness,
};

/**
 * What a refusal of the portal itself means. Its words are not an interface, so the evidence is another attempt with one
 * thing changed on purpose: when that makes no difference, the portal never got to see the right one.
 */
export const diagnoseRefusal = async (error: PortalError, patient: Patient): Promise<Finding | undefined> => {
  const { connection, options } = patient;
  const find = (check: KeyCheck, next: string, detail = describeRefusal(error)): Finding => ({
    check,
    detail,
    next,
  });
  // The refusal came with these secrets masked, even where one is a word of the portal's sentence.
  const redact = createRedactor([...connection.apiKeys, ...connection.passPhrases]);
  const isSameWith = async (change: Partial<PortalConnection>): Promise<boolean> => {
    const changed = { ...connection, ...change };
    const plain = (message: string) =>
      redact(message).replaceAll(connection.tenancyName, '').replaceAll(changed.tenancyName, '');
    return isSameRefusal(error, await attemptKey(changed, options), plain);
  };
  const examine = examinations[error.kind];
  if (examine === undefined)
    return find('key', 'The portal refused this for an unknown reason: contact its operator.');
  const finding = await examine({ ...patient, error, isSameWith, find });
  if (finding === undefined || finding.isBlind === true) return finding;
  return { ...finding, isBlind: await isSameWith({ apiKeys: [wrongSecret()] }) };
};

/** What the portal said, and what it named. */
const describeRefusal = ({ message, validationErrors }: PortalError): string =>
  [
    message,
    ...validationErrors.map((one) => `${one.field === '' ? '' : `${one.field}: `}${one.message}`),
  ].join(' ');

/** Whether the portal's words say more than that something failed. */
const hasReason = ({ message }: PortalError): boolean =>
  /: "/.test(message) && !/error occurred|internal (server )?error|unexpected|unknown error/i.test(message);

const wrongSecret = (): Secret => new Secret(randomUUID());

/** How to correct the API key. */
export const keyAdvice = ({ tenantId }: PortalConnection): string =>
  `Copy the API key from the portal into VITRINE_API_KEY again. It belongs to one tenant: compare VITRINE_TENANT_ID (now ${tenantId}).`;

const headerAdvice = ({ tenantIdHeader }: PortalConnection): string =>
  tenantIdHeader.includes('.')
    ? 'A proxy drops the header because of the dot in its name. Allow it (nginx: ignore_invalid_headers off), or agree on another name with the portal and set VITRINE_TENANT_ID_HEADER.'
    : 'The portal expects another name, or a proxy drops the header. Compare VITRINE_TENANT_ID_HEADER with the portal; without it, Svc.TenantId is sent.';

const passPhraseAdvice = ({ options }: Patient): string =>
  /^(["'`]).*\1$/.test(options.env['VITRINE_PASSPHRASE'] ?? '')
    ? 'VITRINE_PASSPHRASE is in quotation marks, which are part of the value. Remove them.'
    : 'Copy the passphrase of the tenant into VITRINE_PASSPHRASE again.';

const nameAdvice = ({ tenancyName }: PortalConnection): string =>
  `Compare VITRINE_TENANCY_NAME (now "${tenancyName}") with the subdomain of the tenant.`;

/** Which permissions the API key needs; the one that the portal names, when it names one. */
export const permissionAdvice = (error: PortalError): string => {
  const named = namedPermissions(error);
  return named.length === 0
    ? `Give the API key the permissions ${mintPermissions.join(' and ')} in the portal.`
    : `Give the API key the permission ${named.join(' and ')} in the portal. Creating keys needs ${mintPermissions.join(' and ')}.`;
};
