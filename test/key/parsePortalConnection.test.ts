import { inspect } from 'node:util';
import {
  isPortalError,
  type PortalConnectionInput,
  parsePortalConnection,
  Secret,
} from '@vitrine/portal-client';
import { describe, expect, it } from 'vitest';
import { fc } from '../support/fc.ts';
import { connectionTo } from '../support/standInPortal.ts';

const good = connectionTo('https://api.portal.example/base/');

const problemOf = (change: object) => {
  try {
    parsePortalConnection({ ...good, ...change });
  } catch (error) {
    if (isPortalError(error)) return { kind: error.kind, code: error.code, message: error.message };
    throw error;
  }
  throw new Error('it was accepted');
};

const fail = (): never => {
  throw new Error('refused');
};

const isSafe = (text: string): boolean => {
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isForDevelopment =
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname.endsWith('.test') ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname) ||
    hostname === '[::1]';
  return (
    (protocol === 'https:' || (protocol === 'http:' && isForDevelopment)) &&
    [username, password, search, hash].every((part) => part === '')
  );
};

/** A URL that a parser accepts although no secret may be sent to it, searched among two thousand. */
const findUnsafe = (accept: (text: string) => string): string | undefined => {
  const { counterexample } = fc.check(
    fc.property(
      fc.oneof(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        fc.string(),
        fc.constantFrom('//a', 'http:/', 'HTTPS://A@b', 'https://a:b@c', 'file:///etc/passwd', 'data:,x'),
        fc.webUrl({ validSchemes: ['http'] }).map((url) => url.replace('//', '//127.0.0.1.')),
        fc.webUrl({ validSchemes: ['http'] }).map((url) => url.replace('//', '//localhost.')),
        fc.webUrl({ validSchemes: ['http'] }).map((url) => url.replace('//', '//portal.test.')),
        fc.webUrl({ validSchemes: ['http'] }).map((url) => url.replace('//', '//localhost@')),
      ),
      (text) => {
        let accepted: string;
        try {
          accepted = accept(text);
        } catch {
          return true;
        }
        return isSafe(accepted);
      },
    ),
    { numRuns: 2000 },
  );
  return counterexample?.[0];
};

describe('parsePortalConnection()', () => {
  it('accepts typical values, and removes trailing slashes from URLs', () => {
    const connection = parsePortalConnection({ ...good, tenantId: '101' });
    expect(connection).toMatchObject({
      tenantUrl: 'https://acme.portal.example',
      apiBaseUrl: 'https://api.portal.example/base',
      tenantId: 101,
      tenancyName: 'acme',
      tenantIdHeader: 'Svc.TenantId',
    });
    expect(connection.apiKey[0].reveal()).toBe(good.apiKey);
  });

  it('shows no secret when the result is printed', () => {
    const connection = parsePortalConnection(good);
    const printed = `${inspect(connection, { depth: 9 })}${JSON.stringify(connection)}${String(connection.apiKey)}`;
    expect(printed).not.toContain(good.apiKey);
    expect(printed).not.toContain(good.passPhrase);
    expect(printed).toContain('***');
  });

  it.each([
    ['tenantUrl', 'javascript:alert(1)', 'invalid_tenant_url'],
    ['tenantUrl', 'http://portal.example', 'invalid_tenant_url'],
    ['tenantUrl', 'https://user:pass@portal.example', 'invalid_tenant_url'],
    ['tenantUrl', 'https://portal.example/?a=1', 'invalid_tenant_url'],
    ['apiBaseUrl', '', 'invalid_api_base_url'],
    ['apiBaseUrl', 'file:///etc/passwd', 'invalid_api_base_url'],
    ['apiBaseUrl', undefined, 'invalid_api_base_url'],
    ['tenantUrl', 'https://acme.portal.example/report/1042', 'invalid_tenant_url'],
    ['tenantUrl', 'https://acme.portal.example/report//1042', 'invalid_tenant_url'],
    ['apiBaseUrl', 'https://portal.example/CreateEncryptedKey', 'invalid_api_base_url'],
    ['apiBaseUrl', 'https://portal.example/gateway/ItemLinks/CreateEncryptedKey', 'invalid_api_base_url'],
    ['apiBaseUrl', 'https://portal.example/gateway/CreateEncryptedKey//', 'invalid_api_base_url'],
    // Patterns would read one for minutes.
    ['tenantUrl', `https://portal.example/report${'/'.repeat(100_000)}x`, 'invalid_tenant_url'],
    ['tenantUrl', 'https://acme.portal.example/bi/report/1042/', 'invalid_tenant_url'],
    ['tenantUrl', 'https://acme.portal.example/Report/1042', 'invalid_tenant_url'],
    ['tenantUrl', 'https://acme.portal.example/report', 'invalid_tenant_url'],
    ['tenantUrl', 'https://acme.portal.example/report/', 'invalid_tenant_url'],
    [
      'apiBaseUrl',
      'https://portal.example/api/services/app/ItemLinks/CreateEncryptedKey',
      'invalid_api_base_url',
    ],
    ['apiBaseUrl', 'https://portal.example/bi/API/services/app', 'invalid_api_base_url'],
    ['apiBaseUrl', 'https://portal.example/report/1042', 'invalid_api_base_url'],
    ['apiBaseUrl', 'https://portal.example/v1/users/7', 'invalid_api_base_url'],
    [
      'tenantUrl',
      'https://acme.portal.example/report/3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      'invalid_tenant_url',
    ],
    ['tenantUrl', 'https://acme.portal.example/api/services', 'invalid_tenant_url'],
    ['baseUrl', 'https://portal.example/v1/audit-logs/', 'invalid_base_url'],
    ['baseUrl', 'https://portal.example/api/services/app', 'invalid_base_url'],
    ['baseUrl', 'portal.example', 'invalid_base_url'],
    ['tenantId', 0, 'invalid_tenant_id'],
    ['tenantId', '1e3', 'invalid_tenant_id'],
    ['tenantId', '101\r\nX: y', 'invalid_tenant_id'],
    ['tenancyName', 'acme.evil', 'invalid_tenancy_name'],
    ['tenancyName', '', 'invalid_tenancy_name'],
    ['tenancyName', '_acme', 'invalid_tenancy_name'],
    ['tenantIdHeader', 'X: y\r\n', 'invalid_tenant_id_header'],
    ['tenantIdHeader', 'Authorization', 'invalid_tenant_id_header'],
    ['tenantIdHeader', 'content-type', 'invalid_tenant_id_header'],
    ['tenantIdHeader', 'Transfer-Encoding', 'invalid_tenant_id_header'],
    ['passPhrase', '${VITRINE_PASSPHRASE}', 'invalid_pass_phrase'],
    ['apiKey', '', 'invalid_api_key'],
    ['apiKey', '<API_KEY>', 'invalid_api_key'],
    ...[
      'changeme-please',
      'CHANGE_ME',
      '{key}',
      'your-api-key',
      'xxxx',
      '****',
      'Password',
      'passphrase',
    ].map((placeholder): [string, unknown, string] => ['apiKey', placeholder, 'invalid_api_key']),
    ['passPhrase', 'undefined', 'invalid_pass_phrase'],
    ['passPhrase', 'null', 'invalid_pass_phrase'],
    ['passPhrase', 'k'.repeat(4097), 'invalid_pass_phrase'],
    ['apiKey', 'has\r\nline-breaks', 'invalid_api_key'],
    ['apiKey', [], 'invalid_secret_list'],
    ['apiKey', ['first', 'second', 'third', 'fourth', 'fifth'], 'invalid_secret_list'],
    ['passPhrase', ' padded-with-space', 'invalid_pass_phrase'],
    ['passPhrase', undefined, 'invalid_pass_phrase'],
    ['passphrase', 'misspelled option', 'unknown_portal_option'],
  ])('rejects %s = %j with its own error code, before any request', (option, value, code) => {
    expect(problemOf({ [option]: value })).toMatchObject({ kind: 'config', code });
  });

  it.each([
    ['ApiKey Zq83nVb2Lw0x-canary', 'begins with the scheme'],
    ['bearer Zq83nVb2Lw0x-canary', 'begins with the scheme'],
    ['"Zq83nVb2Lw0x-canary"', 'is in quotation marks'],
    ["'Zq83nVb2Lw0x-canary'", 'is in quotation marks'],
    ['MyApiKey Zq83nVb2Lw0x-canary', 'not allowed in a header'],
  ])('names the extra part of the API key %s without repeating it', (apiKey, words) => {
    const { message } = problemOf({ apiKey });
    expect(message).toContain(words);
    expect(message).not.toContain('Zq83nVb2');
  });

  it.each([
    ['passPhrase', '$ecret-pass-phrase'],
    ['passPhrase', '$MONEY2026'],
    ['passPhrase', 'newpass'],
    ['passPhrase', 'password-of-acme'],
    ['apiKey', 'short'],
    ['apiKey', '"quoted"at-the-start'],
    ['apiKey', 'at-the-end"quoted"'],
    ['apiKey', ['first', 'second', 'third', 'fourth']],
    ['apiKey', 'k'.repeat(4096)],
    ['tenancyName', 'acme_north'],
    ['tenantIdHeader', 'X-Tenant-Id'],
  ])('accepts %s = %j', (option, value) => {
    expect(() => parsePortalConnection({ ...good, [option]: value })).not.toThrow();
  });

  it.each([
    ['tenantId', 0, 'it is 0.'],
    ['tenantId', -1, 'it is -1.'],
    ['tenantId', 'acme', 'it is a text of 4 characters.'],
    ['tenantId', undefined, 'it is missing.'],
    ['tenantUrl', 5, 'Option "tenantUrl" is 5. Use an absolute https URL as text'],
    ['tenantUrl', new URL('https://acme.portal.example'), 'Option "tenantUrl" is an object. Use an'],
    ['tenantUrl', undefined, 'Option "tenantUrl" is missing. Use'],
    ['apiBaseUrl', '', 'Option "apiBaseUrl" is an empty string. Use'],
    ['apiBaseUrl', 'api.portal.example', 'is a text of 18 characters: it is not an absolute URL. Use'],
    ['tenancyName', 'acme.portal.example', 'it is a text of 19 characters.'],
    ['tenancyName', 7, 'it is 7.'],
    ['tenantIdHeader', 'a b', 'it is a text of 3 characters.'],
    ['tenantIdHeader', 5, 'it is 5.'],
  ])('shows what it saw: %s = %j', (option, value, seen) => {
    expect(problemOf({ [option]: value }).message).toContain(seen);
  });

  it.each([
    ['tenantUrl', 'https://user:Zq83/nVb@portal.example'],
    ['tenantUrl', 'https://portal.example/?key=Zq83nVb2'],
    ['apiBaseUrl', 'user:Zq83nVb2@portal.example'],
    ['apiBaseUrl', 'Zq83nVb2Lw0xTr9kPm47Qe'],
    ['tenantId', 'Zq83nVb2Lw0xTr9kPm47Qe'],
    ['tenancyName', 'Zq83nVb2Lw0xTr9k+Pm47Qe='],
    ['tenantIdHeader', 'Zq83nVb2Lw0xTr9k@Pm47Qe='],
    ['tenantId', 'key.acme.Zq83nVb2Lw0xTr9k'],
    ['apiBaseUrl', 'key.acme.Zq83nVb2Lw0xTr9k'],
    ['tenancyName', 'a Zq83 pass phrase'],
    ['apiBaseUrl', 'Zq83nVb2Lw0x:tail'],
    ['tenantUrl', 'https://portal.example/#Zq83nVb2'],
    ['tenantUrl', 'https://portal.example:Zq83nVb2'],
  ])('shows no secret that is in the wrong place: %s', (option, value) => {
    expect(problemOf({ [option]: value }).message).not.toMatch(/Zq83|nVb/);
  });

  it.each(['tenancyName', 'tenantIdHeader'])('refuses the API key as %s, without showing it', (option) => {
    const apiKey = 'abcdef0123456789abcdef0123456789abcd';
    const { message } = problemOf({ apiKey, [option]: apiKey });
    expect(message).toContain('it is the API key.');
    expect(message).not.toContain('abcdef');
  });

  it('accepts secrets that are already wrapped', () => {
    const wrapped = { apiKey: new Secret(good.apiKey), passPhrase: [new Secret(good.passPhrase)] };
    const { apiKey, passPhrase } = parsePortalConnection({ ...good, ...wrapped });
    expect([apiKey[0].reveal(), passPhrase[0].reveal()]).toEqual([good.apiKey, good.passPhrase]);
  });

  it.each([
    ['passPhrase', undefined, 'is missing'],
    ['passPhrase', '', 'is empty'],
    ['passPhrase', '  ', 'begins or ends with white space'],
    ['passPhrase', 12, 'must be a string; it is a number'],
    ['passPhrase', '<PASSPHRASE>', 'looks like a placeholder'],
    ['apiKey', Array.from({ length: 5 }, (_, n) => `key-${n}`), 'lists 5 secrets.'],
  ])('quotes the invalid value: %s = %j', (option, value, seen) => {
    expect(problemOf({ [option]: value }).message).toContain(`Option "${option}" ${seen}`);
  });

  it('names the option and never shows the secret in the message', () => {
    for (const [option, secret] of [
      ['apiKey', 'line\nbreak-in-secret'],
      ['apiKey', 'ü-not-for-headers'],
      ['passPhrase', ' padded-secret'],
    ] as const) {
      const { message } = problemOf({ [option]: secret });
      expect(message).toContain(option);
      expect(message).not.toContain(secret);
    }
  });

  it('never accepts a URL that is neither https nor on a development host', () => {
    expect(
      findUnsafe((text) => parsePortalConnection({ ...good, tenantUrl: text }).tenantUrl),
    ).toBeUndefined();
  });

  it.each([
    ['every URL', (text: string) => new URL(text).href],
    ['every text that begins with https', (text: string) => (/^https:/i.test(text) ? text : fail())],
    [
      'http with a host that begins like localhost',
      (text: string) => (/^http:..(localhost|127|portal.test)/.test(text) ? text : fail()),
    ],
  ])('control: detects an implementation that accepts %s', (_title, accept) => {
    expect(findUnsafe(accept)).toBeDefined();
  });

  it('rejects values that are not a connection', () => {
    // A plain JavaScript host may pass anything.
    for (const value of [null, undefined, 'text', 42, []])
      expect(() => parsePortalConnection(value as unknown as PortalConnectionInput)).toThrow('tenantUrl');
  });
});
