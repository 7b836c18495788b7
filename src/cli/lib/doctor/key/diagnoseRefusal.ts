import { randomUUID } from 'node:crypto';
import {
  createRedactor,
  type PortalConnection,
  type PortalError,
  type PortalErrorKind,
  type RefusedPart,
  Secret,
} from '@vitrine/portal-client';
import { attemptKey, isSameRefusal } from './attemptKey.ts';
import type { DiagnosisContext, Finding, KeyCheck } from './finding.ts';
import {
  headerAdvice,
  identityAdvice,
  keyAdvice,
  nameAdvice,
  passPhraseAdvice,
  permissionAdvice,
  roleAdvice,
} from './keyAdvice.ts';

/** A refusal, and the tools to examine it. */
interface Examination extends DiagnosisContext {
  readonly error: PortalError;
  /** Whether the portal's response stays the same after a change. */
  readonly isSameWith: (change: Partial<PortalConnection>) => Promise<boolean>;
  readonly find: (check: KeyCheck, next: string, detail?: string) => Finding;
}

type Examine = (examination: Examination) => Promise<Finding | undefined> | Finding | undefined;

const withoutHeader = { tenantIdHeader: 'X-Vitrine-Doctor' };

/**
 * The header is lost, or its number is wrong: the portal may respond the same to both, and the number is easy to
 * compare.
 */
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
  const part = error.part;
  // A portal that knows the key responds differently to an unknown one.
  const isKeyKnown = !(await isSameWith({ apiKeys: [wrongSecret()] }));
  if (part !== undefined && isKeyKnown) return findPart(part, examination);
  if (!(await isSameWith(withoutHeader))) return find('api_key', keyAdvice(connection));
  return isKeyKnown
    ? examineHeader(examination)
    : find(
        'api_key',
        `${keyAdvice(connection)} If both are right, the portal may not receive the header ${connection.tenantIdHeader}. ${headerAdvice(connection)}`,
      );
};

const examineForbidden: Examine = async (examination) => {
  const { find, error, connection, options } = examination;
  const permission = permissionAdvice(error);
  const part = error.part;
  // If the API key lacks permissions, the portal's message may still be about the viewer.
  const orPermission = ({ next, ...finding }: Finding): Finding => ({
    ...finding,
    next: `${next} If this does not help, the API key may lack a permission. ${permission}`,
  });
  if (part === 'roles' || part === 'report' || part === 'user')
    return orPermission(await findPart(part, examination));
  if (part !== undefined) return findPart(part, examination);
  if (options.itemId !== undefined) {
    const other = await attemptKey(connection, { ...options, itemId: undefined });
    // If the portal reports another item as missing, it has accepted the API key.
    if ('error' in other && other.error.kind === 'not_found')
      return orPermission(await findPart('report', examination));
  }
  return find('permissions', permission);
};

const examineNotFound: Examine = ({ find, options }) =>
  options.itemId === undefined
    ? undefined
    : find(
        'key',
        `There is no report ${options.itemId} in this tenant. Set --item to the number in the portal, not to the GUID.`,
      );

/** Advice about the part that the portal's message names. */
const findPart = (part: RefusedPart, examination: Examination): Promise<Finding> | Finding => {
  const { error, find, connection, options } = examination;
  switch (part) {
    case 'tenant_header':
      return examineHeader(examination);
    case 'ip_address':
      return find('api', 'Ask the operator of the portal to allow the IP address of this machine.');
    case 'operator':
      return find('key', 'The portal sends its own message: ask its operator.');
    case 'permissions':
      return find('permissions', permissionAdvice(error));
    case 'api_key':
      return find(
        'api_key',
        /expired/i.test(error.message)
          ? 'Create a new API key in the portal, and set VITRINE_API_KEY to it.'
          : keyAdvice(connection),
      );
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
        `${error.kind === 'invalid' ? 'Compare --item with the number of the report in the portal. If it is right: s' : 'S'}hare report ${options.itemId ?? '--item'} with the user or one of their roles in the portal, and compare --user and --role.`,
      );
    case 'roles':
      return find('key', identityAdvice(options));
    case 'user':
      return find(
        'key',
        `Check that --user (now "${options.userId}") is an active user of the portal. If it is, ${roleAdvice(options)}`,
      );
  }
};

const examineInvalid: Examine = async (examination) => {
  const { error, find, options, isSameWith } = examination;
  const part = error.part;
  if ((part === undefined || part === 'tenancy_name') && (await isSameWith(withoutHeader)))
    return examineHeader(examination);
  return part === undefined ? find('key', identityAdvice(options)) : findPart(part, examination);
};

const examineBusiness: Examine = async (examination) => {
  const { error, find, connection, options, isSameWith } = examination;
  const part = error.part;
  const isAnyPassPhrase = await isSameWith({ passPhrases: [wrongSecret()] });
  const isAnyName = await isSameWith({ tenancyName: `no-${randomUUID().slice(0, 8)}` });
  if (isAnyPassPhrase && isAnyName) {
    // The portal refuses before it compares either: its message is the only evidence.
    if (part !== undefined && part !== 'tenancy_name') return findPart(part, examination);
    if (part === undefined && error.failure?.code === 'reason_given')
      return find(
        'key',
        `The portal sends its own message, also with another passphrase and tenancy name: ask its operator. If this does not help, tenancy name or passphrase may be wrong. ${nameAdvice(connection)} Then copy the passphrase again.`,
      );
    const isAnyHeader = await isSameWith(withoutHeader);
    // Last, because there is no evidence that the header is lost: the portal may not have checked it.
    const header = isAnyHeader
      ? ` If all of this is right, the portal may not receive the header ${connection.tenantIdHeader}: without it, the response is the same. ${headerAdvice(connection)}`
      : '';
    const report =
      part !== undefined || options.itemId === undefined
        ? ''
        : ` The portal gives no reason: if both are right, check that report ${options.itemId} exists and is shared with --user.`;
    const phrase = part === undefined ? ' Then copy the passphrase again.' : '';
    const finding = find('passphrase', `${nameAdvice(connection)}${phrase}${report}${header}`);
    return isAnyHeader ? { ...finding, isInconclusive: true } : finding;
  }
  if (isAnyPassPhrase) return find('passphrase', passPhraseAdvice(examination));
  if (isAnyName) return find('passphrase', nameAdvice(connection));
  if (part === 'roles' || part === 'user' || part === 'expiration') return findPart(part, examination);
  const isOwnReason = part === undefined && error.failure?.code === 'reason_given';
  return find(
    'key',
    isOwnReason
      ? `Passphrase and tenancy name are accepted. The portal sends its own message: ask its operator. If this does not help, share report ${options.itemId ?? '--item'} with the user or one of their roles in the portal.`
      : options.itemId === undefined
        ? 'Passphrase and tenancy name are accepted, but not this user. Check --user with the operator of the portal.'
        : `Passphrase and tenancy name are accepted, but not this report. Share report ${options.itemId} with the user or one of their roles in the portal, and compare --user and --role.`,
  );
};

const beyondValues: ReadonlySet<RefusedPart> = new Set(['ip_address', 'operator', 'permissions']);

const examinations: Readonly<Partial<Record<PortalErrorKind, Examine>>> = {
  unauthorized: examineUnauthorized,
  forbidden: examineForbidden,
  not_found: examineNotFound,
  invalid: examineInvalid,
  business: examineBusiness,
};

/**
 * Diagnoses a refusal of the portal itself. Its messages are not an interface, so the evidence is another attempt with
 * one deliberate change: if the response stays the same, the portal never checked that part.
 */
export const diagnoseRefusal = async (
  error: PortalError,
  context: DiagnosisContext,
): Promise<Finding | undefined> => {
  const { connection, options } = context;
  const find = (check: KeyCheck, next: string, detail = describeRefusal(error)): Finding => ({
    check,
    detail,
    next,
  });
  // The refusal has these secrets masked, even if one is a word of the portal's sentence.
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
  const part = error.part;
  const examination = { ...context, error, isSameWith, find };
  // If the message names these, no other configuration value would change the response.
  const finding = await (part !== undefined && beyondValues.has(part)
    ? findPart(part, examination)
    : examine(examination));
  if (finding === undefined || finding.isInconclusive === true) return finding;
  return { ...finding, isInconclusive: await isSameWith({ apiKeys: [wrongSecret()] }) };
};

/** The portal's message and the fields that it names, without what the message already says. */
const describeRefusal = ({ message, validationErrors }: PortalError): string =>
  [
    message,
    ...validationErrors
      .filter((one) => !message.includes(one.message.replace(/\.$/, '')))
      .map((one) => `${one.field === '' ? '' : `${one.field}: `}${one.message}`),
  ].join(' ');

const wrongSecret = (): Secret => new Secret(randomUUID());
