import { randomUUID } from 'node:crypto';
import { type AdviceCode, explain, type Failure } from '@vitrine/contract/service';
import {
  type CreatedKey,
  createPortalClient,
  createRedactor,
  isPortalError,
  type PortalConnection,
  type PortalError,
  Secret,
} from '@vitrine/portal-client';
import type { DoctorOptions } from './check.ts';

/** A request for a key, and its result. */
interface KeyRequest {
  readonly options: DoctorOptions;
  readonly connection: PortalConnection;
  readonly created?: CreatedKey;
  readonly error?: PortalError;
}

/** What is wrong. */
export interface Finding {
  /** The advice, which tells the check that failed. */
  readonly code: string;
  /** What was seen. */
  readonly detail: string;
  readonly next: string;
}

/** A request for a key, what is wrong with it, and what its result does not tell. */
export interface Examined extends KeyRequest {
  readonly finding: Finding | undefined;
  readonly unchecked: ReadonlySet<Part>;
}

// A report that no tenant has: it suffices to check the secrets without creating a key.
const absentItemId = 2_147_483_647;
// The default lifetime of hosts: a portal may refuse it.
const lifetimeMs = 45 * 60_000;

/** Requests a key once; without an item, for a report that no tenant has. */
const requestKey = async (connection: PortalConnection, options: DoctorOptions): Promise<KeyRequest> => {
  const { itemId = absentItemId, userId, roleNames, timeoutMs, env, signal } = options;
  try {
    await using client = createPortalClient({ embedding: connection, timeoutMs, maxRetries: 0, env });
    const roles = roleNames.length === 0 ? {} : { roleNames };
    const created = await client.embeddedKeys.create({ userId, ...roles, itemId, lifetimeMs, signal });
    return { options, connection, created };
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return { options, connection, error };
  }
};

/** Whether the refusal is the portal's own; others are from the network or a gateway. */
const isPortalAnswer = ({ kind, stats }: PortalError): boolean =>
  (stats?.body === 'envelope' || kind === 'business') &&
  !['server', 'rate_limited', 'invalid_response'].includes(kind);

/** Requests a key, and finds out why there is none. */
export const examine = async (connection: PortalConnection, options: DoctorOptions): Promise<Examined> => {
  const request = await requestKey(connection, options);
  const { error } = request;
  if (error === undefined) return { ...request, finding: undefined, unchecked: new Set() };
  const unchecked = isPortalAnswer(error)
    ? await experiment(error, request)
    : new Set<Part>(['apiKey', ...secrets]);
  return { ...request, finding: await diagnose(error, request, unchecked), unchecked };
};

const diagnose = async (
  error: PortalError,
  request: KeyRequest,
  unchecked: ReadonlySet<Part>,
): Promise<Finding | undefined> => {
  const { options } = request;
  // Nothing was sent. The message names the variable or the option.
  if (error.kind === 'config') {
    const code = error.code === 'invalid_proxy' ? error.code : 'user_refused';
    return { code, detail: error.message, next: 'Correct or unset it.' };
  }
  const isAnswer = isPortalAnswer(error);
  // The report that no tenant has: nothing is wrong.
  if (isAnswer && error.kind === 'not_found' && options.itemId === undefined) return undefined;
  const advice = isAnswer ? refine(error, unchecked, options) : await withoutPath(error, request);
  if (advice?.code === 'api_key_wrong' && (await isKnownKey(request))) {
    const compare = wordAdvice({ code: 'tenant_id_wrong' }, request);
    const next = `The administration API accepts VITRINE_API_KEY. ${compare} If that is right, the key is of another tenant.`;
    return { code: 'tenant_id_wrong', detail: describe(error), next };
  }
  const code = advice?.code ?? 'portal_failed';
  return { code, detail: describe(error), next: wordAdvice(advice, request) };
};

/** The portal's message and the fields that it names, without what the message already says. */
const describe = ({ message, validationErrors }: PortalError): string =>
  validationErrors
    .filter((one) => !message.includes(one.message.replace(/\.$/, '')))
    .reduce((text, one) => `${text} ${one.field === '' ? '' : `${one.field}: `}${one.message}`, message);

/** The advice after a response that is not the portal's: it may come without the path of the address. */
const withoutPath = async ({ failure }: PortalError, { connection, options }: KeyRequest) => {
  const { origin, pathname } = new URL(connection.apiBaseUrl);
  if (failure?.code !== 'wrong_address' || pathname === '/') return failure;
  const { error } = await requestKey({ ...connection, apiBaseUrl: origin }, options);
  return error === undefined || isPortalAnswer(error) ? { code: 'wrong_path', part: pathname } : failure;
};

/** Whether the administration API, which reads no tenant ID, refuses an unknown API key but not this one. */
const isKnownKey = async ({ connection, options }: KeyRequest): Promise<boolean> => {
  const { env, timeoutMs, signal } = options;
  const baseUrl = env['VITRINE_BASE_URL'] ?? connection.apiBaseUrl;
  const wasRefused = (error: unknown) => isPortalError(error) && error.kind === 'unauthorized';
  const isRefused = async (apiKey: Secret) => {
    await using client = createPortalClient({ baseUrl, apiKey, timeoutMs, maxRetries: 0, env });
    // The first page is enough, before the client closes.
    const items = client.items.list({ signal })[Symbol.asyncIterator]();
    return await items.next().then(() => false, wasRefused);
  };
  return (await isRefused(new Secret(randomUUID()))) && !(await isRefused(connection.apiKey[0]));
};

/** A part of the request, for an experiment. */
export type Part = 'header' | 'apiKey' | 'passPhrase' | 'tenancyName' | 'item';

/**
 * The parts that the portal has not checked: with a deliberate mistake there, its response stays the same. Its messages
 * are not an interface, so this is the evidence.
 */
const experiment = async (refusal: PortalError, { connection, options }: KeyRequest) => {
  // The refusal has these secrets masked, even if one is a word of the portal's sentence.
  const redact = createRedactor([...connection.apiKey, ...connection.passPhrase]);
  const mistakes: Readonly<Record<Part, Partial<PortalConnection>>> = {
    header: { tenantIdHeader: 'X-Vitrine-Doctor' },
    apiKey: { apiKey: [new Secret(randomUUID())] },
    passPhrase: { passPhrase: [new Secret(randomUUID())] },
    tenancyName: { tenancyName: `no-${randomUUID().slice(0, 8)}` },
    item: {},
  };
  const unchecked = new Set<Part>();
  for (const [part, mistake] of Object.entries(mistakes)) {
    const changed = { ...connection, ...mistake };
    const plain = ({ kind, status, code, message }: PortalError) => {
      const said = redact(message).replaceAll(connection.tenancyName, '');
      return [kind, status, code, said.replaceAll(changed.tenancyName, '')].join();
    };
    const asked = part === 'item' ? { ...options, itemId: undefined } : options;
    const { error } = await requestKey(changed, asked);
    // The names are those of the table above.
    if (error !== undefined && plain(error) === plain(refusal)) unchecked.add(part as Part);
  }
  return unchecked;
};

interface Rule {
  readonly kind?: PortalError['kind'];
  /** Parts that the portal's message may name; undefined: none. */
  readonly names?: readonly PortalError['part'][];
  /** The advice of the portal's message alone. */
  readonly says?: AdviceCode;
  readonly unchecked?: readonly Part[];
  readonly checked?: Part;
  /** Default: that of the portal's message. */
  readonly code?: AdviceCode;
  readonly also?: AdviceCode;
}

const secrets = ['passPhrase', 'tenancyName'] as const;
const none = [undefined];
const ofViewer = ['roles_refused', 'user_refused', 'expiration_refused'] as const;
const named = ['api_key_wrong', 'passphrase_wrong', 'report_not_shared', ...ofViewer] as const;

/** From the message and the evidence to the advice: the first rule that applies. */
const rules: readonly Rule[] = [
  // No other value of the configuration would change the response.
  { names: ['ip_address_blocked', 'operator_only', 'permission_missing'] },
  // A portal that knows the key responds differently to an unknown one.
  { kind: 'unauthorized', checked: 'apiKey', names: [...named, 'tenancy_name_wrong'] },
  { kind: 'unauthorized', checked: 'header', unchecked: ['apiKey'], code: 'api_key_wrong' },
  { kind: 'unauthorized', checked: 'header', names: none, code: 'api_key_wrong' },
  { kind: 'unauthorized', unchecked: ['apiKey'], code: 'api_key_wrong', also: 'or_header' },
  { kind: 'unauthorized', code: 'tenant_id_wrong' },
  { names: ['tenant_header_lost'], code: 'tenant_id_wrong' },
  { kind: 'invalid', unchecked: ['header'], names: ['tenancy_name_wrong'], code: 'tenant_id_wrong' },
  { kind: 'invalid', unchecked: ['header'], names: none, code: 'tenant_id_wrong' },
  { kind: 'invalid', names: none, code: 'viewer_refused' },
  { kind: 'forbidden', checked: 'item', names: none, code: 'report_not_shared', also: 'or_permission' },
  // The portal refuses before it compares either: its message is the only evidence.
  { kind: 'business', unchecked: secrets, names: named },
  { kind: 'business', unchecked: secrets, says: 'reason_given', code: 'reason_for_all' },
  { kind: 'business', unchecked: [...secrets, 'header'], code: 'no_reason', also: 'or_header_unproven' },
  { kind: 'business', unchecked: secrets, code: 'no_reason' },
  { kind: 'business', unchecked: ['passPhrase'], code: 'passphrase_wrong' },
  { kind: 'business', unchecked: ['tenancyName'], code: 'tenancy_name_wrong' },
  { kind: 'business', names: ofViewer },
  { kind: 'business', says: 'reason_given', code: 'operator_or_sharing' },
  { kind: 'business', code: 'viewer_refused' },
  { kind: 'conflict', code: 'operator_or_sharing' },
];

const refine = (
  { kind, part, message, failure }: PortalError,
  unchecked: ReadonlySet<Part>,
  { itemId, env }: DoctorOptions,
): Failure | undefined => {
  const { code, also } =
    rules.find(
      (rule) =>
        (rule.kind ?? kind) === kind &&
        (rule.names?.includes(part) ?? true) &&
        (rule.says ?? failure?.code) === failure?.code &&
        (rule.unchecked ?? []).every((one) => unchecked.has(one)) &&
        (rule.checked === undefined || !unchecked.has(rule.checked)),
    ) ?? {};
  if (kind === 'business' && code === 'viewer_refused' && itemId !== undefined)
    return { code: 'report_not_shared' };
  // The header is lost, or its number is wrong: the portal may respond the same to both.
  if (code === 'tenant_id_wrong' && unchecked.has('header'))
    return /missing|required/i.test(message) ? { code: 'tenant_header_lost' } : { code, also: 'or_header' };
  if (code === 'passphrase_wrong' && /^(["'`]).*\1$/.test(env['VITRINE_PASSPHRASE'] ?? ''))
    return { code: 'quoted_value', setting: 'passPhrase' };
  return code === undefined ? failure : { code, also };
};

/** The advice, with the values that the doctor uses. */
const wordAdvice = (advice: Failure | undefined, { connection, options }: KeyRequest): string => {
  const { tenantId, tenancyName, tenantIdHeader } = connection;
  const { userId, roleNames, itemId } = options;
  const { what, check } = explain({ code: 'portal_failed', part: tenantIdHeader, ...advice }, 'variable', {
    tenantId: `VITRINE_TENANT_ID (now ${tenantId})`,
    tenancyName: `VITRINE_TENANCY_NAME (now "${tenancyName}")`,
    userId: `--user (now "${userId}")`,
    roleNames: `--role (${roleNames.length === 0 ? 'none given' : `now ${roleNames.join(', ')}`})`,
    ...(itemId !== undefined && { itemId: `--item (now ${itemId})` }),
    dispatcher: "the host's upstream.dispatcher",
  });
  return `${what || check}${check.includes('client certificate') ? ' The doctor itself has no client certificate, so it cannot get further there.' : ''}`;
};
