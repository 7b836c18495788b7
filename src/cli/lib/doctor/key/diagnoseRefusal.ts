import { randomUUID } from 'node:crypto';
import type { AdviceCode } from '@vitrine/contract/service';
import {
  createRedactor,
  type PortalConnection,
  type PortalError,
  type PortalErrorKind,
  Secret,
} from '@vitrine/portal-client';
import { adviceFor } from './adviceFor.ts';
import { attemptKey, isSameRefusal } from './attemptKey.ts';
import type { DiagnosisContext, Finding, KeyCheck } from './finding.ts';

type RefusedPart = NonNullable<PortalError['part']>;

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
  const { error, find, isSameWith } = examination;
  if (!(await isSameWith(withoutHeader)))
    return find('tenant_header', adviceFor('tenant_id_wrong', examination));
  const isLost = /missing|required/i.test(error.message);
  return find(
    'tenant_header',
    isLost
      ? adviceFor('tenant_header_lost', examination)
      : adviceFor('tenant_id_wrong', examination, 'or_header'),
  );
};

const examineUnauthorized: Examine = async (examination) => {
  const { error, find, isSameWith } = examination;
  // A portal that knows the key responds differently to an unknown one.
  const isKeyKnown = !(await isSameWith({ apiKey: [wrongSecret()] }));
  if (error.part !== undefined && isKeyKnown) return findPart(error.part, examination);
  if (!(await isSameWith(withoutHeader))) return find('api_key', adviceFor('api_key_wrong', examination));
  return isKeyKnown
    ? examineHeader(examination)
    : find('api_key', adviceFor('api_key_wrong', examination, 'or_header'));
};

const examineForbidden: Examine = async (examination) => {
  const { error, connection, options } = examination;
  if (error.part !== undefined && error.part !== 'permissions') return findPart(error.part, examination);
  if (error.part === undefined && options.itemId !== undefined) {
    const other = await attemptKey(connection, { ...options, itemId: undefined });
    // If the portal reports another item as missing, it has accepted the API key.
    if ('error' in other && other.error.kind === 'not_found') return findPart('report', examination);
  }
  return findPart('permissions', examination);
};

const examineNotFound: Examine = (examination) =>
  examination.options.itemId === undefined
    ? undefined
    : examination.find('key', adviceFor('item_unknown', examination));

/** The check and the advice of the part that the portal's message names. */
const parts: Readonly<
  Record<Exclude<RefusedPart, 'tenant_header' | 'permissions'>, readonly [KeyCheck, AdviceCode]>
> = {
  ip_address: ['api', 'ip_address_blocked'],
  operator: ['key', 'operator_only'],
  api_key: ['api_key', 'api_key_wrong'],
  passphrase: ['passphrase', 'passphrase_wrong'],
  tenancy_name: ['passphrase', 'tenancy_name_wrong'],
  expiration: ['key', 'expiration_refused'],
  report: ['key', 'report_not_shared'],
  roles: ['key', 'roles_refused'],
  user: ['key', 'user_refused'],
};

/** If the API key lacks permissions, the portal's message may still be about the viewer. */
const viewerParts: ReadonlySet<RefusedPart> = new Set(['report', 'roles', 'user']);

const findPart = (part: RefusedPart, examination: Examination): Promise<Finding> | Finding => {
  const { error, find, options } = examination;
  if (part === 'tenant_header') return examineHeader(examination);
  if (part === 'permissions') {
    const { also, part: named } = error.failure ?? {};
    const isNamed = also === 'named';
    return find(
      'permissions',
      adviceFor('permission_missing', examination, isNamed ? also : undefined, named),
    );
  }
  const [check, advice] = parts[part];
  const isQuoted = /^(["'`]).*\1$/.test(options.env['VITRINE_PASSPHRASE'] ?? '');
  if (part === 'passphrase' && isQuoted) return find(check, adviceFor('quoted_value', examination));
  if (part === 'report' && error.kind === 'invalid')
    return find(check, adviceFor('item_unknown', examination));
  const also = error.kind === 'forbidden' && viewerParts.has(part) ? 'or_permission' : undefined;
  return find(check, adviceFor(advice, examination, also));
};

const examineInvalid: Examine = async (examination) => {
  const { error, find, isSameWith } = examination;
  const { part } = error;
  if ((part === undefined || part === 'tenancy_name') && (await isSameWith(withoutHeader)))
    return examineHeader(examination);
  return part === undefined
    ? find('key', adviceFor('viewer_refused', examination))
    : findPart(part, examination);
};

const examineBusiness: Examine = async (examination) => {
  const { error, find, options, isSameWith } = examination;
  const { part } = error;
  const isOwnReason = part === undefined && error.failure?.code === 'reason_given';
  const isAnyPassPhrase = await isSameWith({ passPhrase: [wrongSecret()] });
  const isAnyName = await isSameWith({ tenancyName: `no-${randomUUID().slice(0, 8)}` });
  if (isAnyPassPhrase && isAnyName) {
    // The portal refuses before it compares either: its message is the only evidence.
    if (part !== undefined && part !== 'tenancy_name') return findPart(part, examination);
    if (isOwnReason) return find('key', adviceFor('reason_for_all', examination));
    // There is no evidence that the header is lost: the portal may not have checked it.
    const isAnyHeader = await isSameWith(withoutHeader);
    const finding = find(
      'passphrase',
      adviceFor('no_reason', examination, isAnyHeader ? 'or_header_unproven' : undefined),
    );
    return isAnyHeader ? { ...finding, isInconclusive: true } : finding;
  }
  if (isAnyPassPhrase) return findPart('passphrase', examination);
  if (isAnyName) return findPart('tenancy_name', examination);
  if (part === 'roles' || part === 'user' || part === 'expiration') return findPart(part, examination);
  const accepted = 'Passphrase and tenancy name are accepted.';
  if (isOwnReason) return find('key', `${accepted} ${adviceFor('operator_or_sharing', examination)}`);
  return find(
    'key',
    `${accepted} ${adviceFor(options.itemId === undefined ? 'viewer_refused' : 'report_not_shared', examination)}`,
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
  const redact = createRedactor([...connection.apiKey, ...connection.passPhrase]);
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
  return { ...finding, isInconclusive: await isSameWith({ apiKey: [wrongSecret()] }) };
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
