import { checkWebUrl } from '@vitrine/contract';
import {
  apiKeyHeader,
  checkOptions,
  tenantIdHeader as defaultTenantIdHeader,
  kindOf,
  type OptionRules,
} from '@vitrine/contract/service';
import { settingError } from '../errors/checkOptions.ts';
import { isQuoted, parseSecrets } from './parseSecrets.ts';
import type { PortalConnection, PortalConnectionInput } from './portalConnection.ts';

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
/** Options that are not secrets, and the codes of their errors. */
const codes = {
  tenantUrl: 'invalid_tenant_url',
  apiBaseUrl: 'invalid_api_base_url',
  tenantId: 'invalid_tenant_id',
  tenancyName: 'invalid_tenancy_name',
  tenantIdHeader: 'invalid_tenant_id_header',
} as const;

const checkQuotes = (input: PortalConnectionInput): void => {
  for (const [setting, code] of Object.entries(codes))
    if (isQuoted(Reflect.get(input, setting))) throw settingError({ code: 'quoted_value', setting }, code);
};

// ASP.NET Boilerplate allows an underscore in a tenancy name, though DNS does not.
const tenancyName = /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/i;
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
/** Headers that HTTP or the call itself uses: the tenant header would replace or break them. */
const usedHeaders: ReadonlySet<string> = new Set([
  apiKeyHeader.toLowerCase(),
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'date',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'proxy-authorization',
  'proxy-connection',
  'referer',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-request-id',
]);

const parseUrl = (setting: 'tenantUrl' | 'apiBaseUrl', value: unknown): string => {
  const found = checkWebUrl(value);
  if (found !== undefined || typeof value !== 'string')
    throw settingError({ code: 'invalid_url', setting, found }, codes[setting]);
  const { href, pathname } = new URL(value);
  // Each viewer would get the final 404 of an absent report.
  const path = setting === 'tenantUrl' ? /\/report(\/\d*)?\/*$/i : /\/api\/services\b.*$/i;
  const ours = path.exec(pathname)?.[0];
  if (ours !== undefined)
    throw settingError(
      { code: setting === 'tenantUrl' ? 'report_address' : 'endpoint_address', setting, found: ours },
      codes[setting],
    );
  return href.replace(/\/+$/, '');
};

const parseTenantId = (value: unknown): number => {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number <= 0)
    throw settingError({ code: codes.tenantId, setting: 'tenantId', found: kindOf(value) });
  return number;
};

const parseTenancyName = (value: unknown): string => {
  if (typeof value !== 'string' || !tenancyName.test(value)) {
    const found = `${kindOf(value)}${typeof value === 'string' && value !== '' ? ' in another format' : ''}`;
    throw settingError({ code: codes.tenancyName, setting: 'tenancyName', found });
  }
  return value;
};

const parseTenantIdHeader = (value: unknown): string => {
  const setting = 'tenantIdHeader';
  if (typeof value !== 'string' || !headerName.test(value))
    throw settingError({ code: 'invalid_header_name', setting }, codes[setting]);
  if (usedHeaders.has(value.toLowerCase()))
    throw settingError({ code: 'used_header_name', setting, found: value }, codes[setting]);
  return value;
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
  const tenantUrl = parseUrl('tenantUrl', input.tenantUrl);
  const apiBaseUrl = parseUrl('apiBaseUrl', input.apiBaseUrl);
  return {
    tenantUrl,
    apiBaseUrl,
    baseUrl: input.baseUrl ?? apiBaseUrl,
    tenantId: parseTenantId(input.tenantId),
    tenancyName: parseTenancyName(input.tenancyName),
    apiKey: parseSecrets(input.apiKey, 'apiKey'),
    passPhrase: parseSecrets(input.passPhrase, 'passPhrase'),
    tenantIdHeader: parseTenantIdHeader(input.tenantIdHeader ?? defaultTenantIdHeader),
  };
};
