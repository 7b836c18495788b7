import { checkWebUrl } from '@vitrine/contract';
import {
  type AdviceCode,
  addressText,
  checkOptions,
  tenantIdHeader as defaultTenantIdHeader,
  kindOf,
  type OptionRules,
  serviceRoutes,
} from '@vitrine/contract/service';
import { settingError } from './errors.ts';
import { createRedactor, rememberSecret, Secret } from './secrets.ts';

/** A secret: plain text, or wrapped so that it does not print. */
export type SecretInput = string | Secret;

/** The connection to a tenant of the portal. `new Secret(text)` keeps a secret from printing. */
export interface PortalConnectionInput {
  /** Address of the report pages, `https://<tenancy>.<portal>` (docs/interface.md#4.7 `{tenant_url}`). */
  readonly tenantUrl: string;
  /** Address of the embedding interface (docs/interface.md#4.6 `{api_base_url}`). */
  readonly apiBaseUrl: string;
  /** Address of the administration API (docs/interface.md#4 `{base_url}`), for actions. Default: `apiBaseUrl`. */
  readonly baseUrl?: string;
  /** Numeric ID of the tenant, sent as `Svc.TenantId`. */
  readonly tenantId: number | string;
  /** Subdomain name of the tenant. */
  readonly tenancyName: string;
  /** API key; during a rotation, a list with the new one first. */
  readonly apiKey: SecretInput | readonly SecretInput[];
  /** Passphrase of the tenant; during a rotation, a list with the new one first. */
  readonly passPhrase: SecretInput | readonly SecretInput[];
  /**
   * Name of the tenant header, for gateways that drop names with a dot. Default `Svc.TenantId`.
   */
  readonly tenantIdHeader?: string;
}

/** A checked {@link PortalConnectionInput}, and one itself; its secrets print as `***`. */
export interface PortalConnection extends Required<PortalConnectionInput> {
  /** Above zero. */
  readonly tenantId: number;
  /** At least one, newest first. */
  readonly apiKey: readonly [Secret, ...Secret[]];
  /** At least one, newest first. */
  readonly passPhrase: readonly [Secret, ...Secret[]];
}

const rules: OptionRules<keyof PortalConnectionInput> = {
  tenantUrl: true,
  apiBaseUrl: true,
  tenantId: true,
  tenancyName: true,
  apiKey: true,
  passPhrase: true,
  tenantIdHeader: true,
  baseUrl: true,
};

/** The code of an error about an option: `invalid_tenant_url`. */
const codeFor = (setting: string): string =>
  `invalid_${setting.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

const checkQuotes = (input: PortalConnectionInput): void => {
  for (const setting of Object.keys(rules))
    if (!(setting in secretNames) && isQuoted(Reflect.get(input, setting)))
      throw settingError({ code: 'quoted_value', setting }, codeFor(setting));
};

// ASP.NET Boilerplate allows an underscore in a tenancy name, though DNS does not.
const tenancyName = /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/i;
// Not one that the request itself needs.
const headerName =
  /^(?!(?:authorization|host|connection|transfer-encoding|user-agent|x-request-id|(?:accept|content)-.*)$)[!#$%&'*+.^_`|~\da-z-]{1,64}$/i;
const redact = createRedactor([]);

/** What was seen of a setting. A path may hold a token. */
const seen = (value: unknown): string => redact(addressText(value));

const maxUrlLength = 2000;

const endpoints = [
  '/api/services',
  ...Object.values(serviceRoutes).map(({ path }) => path.split('/{', 1)[0]),
];
/** Paths that Vitrine appends itself: with one, each viewer would get the final 404 of an absent report. */
const appended = {
  report_address: /\/report(?:\/+[\da-f-]*)?\/*$/i,
  endpoint_address: new RegExp(`(?:(?:${endpoints.join('|')})(?:/.*)?|/CreateEncryptedKey/*|/v1/*)$`, 'i'),
};

/** Checks the address of a setting; returns it without a trailing slash. */
export const parseAddress = (setting: string, code: string, value: unknown): string => {
  const isLong = typeof value === 'string' && value.length > maxUrlLength;
  const reason = isLong ? `it is longer than ${maxUrlLength} characters` : checkWebUrl(value);
  if (typeof value !== 'string' || reason !== undefined) {
    const isText = typeof value === 'string' && value !== '';
    const found = isText ? `${seen(value.slice(0, maxUrlLength))}: ${reason}` : seen(value);
    throw settingError({ code: 'invalid_url', setting, found }, code);
  }
  const { href, pathname } = new URL(value);
  for (const [row, path] of Object.entries(appended)) {
    const found = path.exec(pathname)?.[0];
    if (found !== undefined) throw settingError({ code: row, setting, found }, code);
  }
  return href.replace(/\/+$/, '');
};

const parseTenantId = (value: unknown): number => {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number <= 0)
    throw settingError({ code: 'invalid_tenant_id', setting: 'tenantId', found: seen(value) });
  return number;
};

/**
 * Checks a host's connection to its tenant, and wraps the secrets. Throws a `PortalError` of kind `config` whose
 * message names the option and never shows a secret.
 */
export const parsePortalConnection = (input: PortalConnectionInput): PortalConnection => {
  const failure = checkOptions("The portal's connection", input, rules);
  if (failure !== undefined)
    throw settingError(
      failure,
      failure.code === 'unknown_option' ? 'unknown_portal_option' : 'invalid_portal',
    );
  checkQuotes(input);
  const tenantUrl = parseAddress('tenantUrl', codeFor('tenantUrl'), input.tenantUrl);
  const apiBaseUrl = parseAddress('apiBaseUrl', codeFor('apiBaseUrl'), input.apiBaseUrl);
  const tenantId = parseTenantId(input.tenantId);
  const apiKey = parseSecrets(input.apiKey, 'apiKey');
  const checkName = (setting: 'tenancyName' | 'tenantIdHeader', row: AdviceCode, isName: RegExp) => {
    const value: unknown =
      input[setting] ?? (setting === 'tenantIdHeader' ? defaultTenantIdHeader : undefined);
    // In the wrong place, it would be logged.
    const isKey = apiKey.some((key) => key.reveal() === value);
    if (!isKey && typeof value === 'string' && isName.test(value)) return value;
    throw settingError({ code: row, setting, found: isKey ? 'the API key' : seen(value) }, codeFor(setting));
  };
  return {
    tenantUrl,
    apiBaseUrl,
    baseUrl:
      input.baseUrl === undefined ? apiBaseUrl : parseAddress('baseUrl', codeFor('baseUrl'), input.baseUrl),
    tenantId,
    tenancyName: checkName('tenancyName', 'invalid_tenancy_name', tenancyName),
    apiKey,
    passPhrase: parseSecrets(input.passPhrase, 'passPhrase'),
    tenantIdHeader: checkName('tenantIdHeader', 'invalid_header_name', headerName),
  };
};

const maxSecretLength = 4096;
const maxSecrets = 4;
const placeholder =
  /^(<.*>|\{.*\}|\$\{.*\}|change.?me.*|your[-_ ].*|x+|\*+|password|passphrase|undefined|null)$/i;
// An API key is sent in a header, so it may only contain visible ASCII (RFC 9110, 5.5).
const headerSafe = /^[\x21-\x7e]+$/;

/** Whether a value is in quotation marks. */
export const isQuoted = (value: unknown): boolean => typeof value === 'string' && /^(["'`]).*\1$/.test(value);

const secretNames = { apiKey: 'API key', passPhrase: 'passphrase' } as const;

/** Checks one secret. */
export const checkSecret = (given: unknown, setting: keyof typeof secretNames): Secret => {
  const value = given instanceof Secret ? given.reveal() : given;
  // The API key is sent in a header.
  const isHeader = setting === 'apiKey';
  const fail = (found: string) =>
    settingError(
      { code: 'invalid_secret', setting, found, expected: secretNames[setting] },
      codeFor(setting),
    );
  if (value === undefined || value === '') throw fail(value === '' ? 'is empty' : 'is missing');
  if (typeof value !== 'string') throw fail(`must be a string; it is ${kindOf(value)}`);
  if (isHeader && isQuoted(value)) throw settingError({ code: 'quoted_value', setting }, codeFor(setting));
  if (isHeader && /^(ApiKey|Bearer)\s/i.test(value))
    throw fail('begins with the scheme of the header, such as "ApiKey ": pass only the key');
  if (placeholder.test(value)) throw fail('looks like a placeholder');
  if (value !== value.trim()) throw fail('begins or ends with white space');
  if (value.length > maxSecretLength) throw fail(`is longer than ${maxSecretLength} characters`);
  if (isHeader && !headerSafe.test(value)) throw fail('contains characters that are not allowed in a header');
  rememberSecret(value);
  return new Secret(value);
};

/** Checks one secret: a string, or up to four of them during a rotation, newest first. */
const parseSecrets = (value: unknown, setting: keyof typeof secretNames): readonly [Secret, ...Secret[]] => {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const [first, ...others] = given.map((one) => checkSecret(one, setting));
  if (first === undefined || others.length >= maxSecrets)
    throw settingError(
      { code: 'too_many_secrets', setting, found: String(given.length) },
      'invalid_secret_list',
    );
  return [first, ...others];
};
