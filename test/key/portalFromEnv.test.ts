import { inspect } from 'node:util';
import { parsePortalConnection } from '@vitrine/portal-client';
import { portalFromEnv, VitrineOptionsError } from '@vitrine/server';
import { describe, expect, it } from 'vitest';

const env = {
  VITRINE_TENANT_URL: 'https://acme.portal.example',
  VITRINE_API_BASE_URL: 'https://api.portal.example',
  VITRINE_TENANT_ID: '101',
  VITRINE_TENANCY_NAME: 'acme',
  VITRINE_API_KEY: 'api-key-Zq83nVb2Lw0x',
  VITRINE_PASSPHRASE: 'pass phrase Km47',
};

describe('portalFromEnv()', () => {
  it('reads the connection from variables named VITRINE_…', () => {
    const { apiKey, passPhrase, ...connection } = parsePortalConnection(portalFromEnv(env));
    expect(connection).toEqual({
      tenantUrl: 'https://acme.portal.example',
      apiBaseUrl: 'https://api.portal.example',
      baseUrl: 'https://api.portal.example',
      tenantId: 101,
      tenancyName: 'acme',
      tenantIdHeader: 'Svc.TenantId',
    });
    expect([apiKey, passPhrase].map((secrets) => secrets.map((one) => one.reveal()))).toEqual([
      ['api-key-Zq83nVb2Lw0x'],
      ['pass phrase Km47'],
    ]);
  });

  it('rejects the path of a file instead of variables', () => {
    // A plain JavaScript host may pass anything.
    expect(() => portalFromEnv('.env' as never)).toThrow(/needs the environment variables .*--env-file/);
  });

  it('does not show a secret when it is printed or serialized', () => {
    const connection = portalFromEnv({ ...env, VITRINE_API_KEY_PREVIOUS: 'old-api-key-1234' });
    const text = `${inspect(connection, { depth: 9, showHidden: true })}${JSON.stringify(connection)}`;
    for (const secret of [env.VITRINE_API_KEY, env.VITRINE_PASSPHRASE, 'old-api-key-1234'])
      expect(text).not.toContain(secret);
    expect(text).toContain('acme');
  });

  it('reads the previous secrets during a rotation', () => {
    const previous = { VITRINE_API_KEY_PREVIOUS: 'old-api-key-1234', VITRINE_PASSPHRASE_PREVIOUS: '' };
    const { apiKey, passPhrase } = parsePortalConnection(portalFromEnv({ ...env, ...previous }));
    expect(apiKey.map((one) => one.reveal())).toEqual(['api-key-Zq83nVb2Lw0x', 'old-api-key-1234']);
    expect(passPhrase).toHaveLength(1);
  });

  it('sets the tenant header', () => {
    expect(portalFromEnv({ ...env, VITRINE_TENANT_ID_HEADER: 'X-Tenant' })).toMatchObject({
      tenantIdHeader: 'X-Tenant',
    });
  });

  it.each([
    ['VITRINE_TENANT_URL', 'https://acme.portal.example?x=1', 'it contains a query'],
    [
      'VITRINE_API_BASE_URL',
      'api.portal.example',
      'is a text of 18 characters: it is not an absolute URL. Use',
    ],
    ['VITRINE_TENANT_ID', 'acme', 'a positive whole number such as 101; it is a text of 4 characters.'],
    ['VITRINE_TENANT_ID', '-1', 'it is "-1".'],
    ['VITRINE_TENANCY_NAME', 'acme.example', 'it is a text of 12 characters.'],
    ['VITRINE_API_KEY', 'ApiKey Zq83nVb2Lw0x', 'begins with the scheme'],
    ['VITRINE_PASSPHRASE', '<passphrase>', 'looks like a placeholder. Pass the passphrase of the tenant.'],
    ['VITRINE_TENANT_ID_HEADER', 'a b', 'must be the name of an HTTP header; it is a text of 3 characters.'],
  ])('names a malformed variable, and not an option: %s', (name, value, problem) => {
    const read = () => portalFromEnv({ ...env, [name]: value });
    expect(read).toThrow(name);
    expect(read).toThrow(problem);
    expect(read).not.toThrow(/Option|[Zz]q83/);
    expect(read).toThrow(VitrineOptionsError);
  });

  it('names both variables of a rotation if one of them is malformed', () => {
    expect(() => portalFromEnv({ ...env, VITRINE_API_KEY_PREVIOUS: 'xxx' })).toThrow(
      'VITRINE_API_KEY or VITRINE_API_KEY_PREVIOUS looks like a placeholder. Pass the API key of the tenant.',
    );
  });

  it.each([
    ['VITRINE_PASSPHRASE', 'VITRINE_PASS_PHRASE'],
    ['VITRINE_API_KEY', 'VITRINE_APIKEY'],
    ['VITRINE_TENANT_ID', 'VITRINE_TENANTID'],
    ['VITRINE_TENANT_URL', 'vitrine_tenant_url'],
  ] as const)('suggests %s for %s', (name, written) => {
    const { [name]: value, ...others } = env;
    const read = () => portalFromEnv({ ...others, [written]: value });
    expect(read).toThrow(`${written} is not read: rename it to ${name}.`);
    expect(read).not.toThrow(value);
  });

  it.each([
    ['VITRINE_TENANT_ID_HEADER', 'VITRINE_TENANT_ID_HAEDER'],
    ['VITRINE_BASE_URL', 'VITRINE_BASEURL'],
    ['VITRINE_API_KEY_PREVIOUS', 'VITRINE_API_KEY_PREVIUOS'],
    ['VITRINE_PASSPHRASE_PREVIOUS', 'vitrine_passphrase_previous'],
  ])('refuses %s under the name %s, which would be ignored', (name, written) => {
    const value = 'https://secret-4711.example';
    const read = () => portalFromEnv({ ...env, [written]: value });
    expect(read).toThrow(`${written} is not read: rename it to ${name}. [unread_variable]`);
    expect(read).not.toThrow('4711');
    // Control: the variable has no value, the right one is set too, or the name is far from each.
    expect(portalFromEnv({ ...env, [written]: ' ' })).toMatchObject({ tenancyName: 'acme' });
    const others = { VITRINE_WEBHOOK_SECRET: 'x', VITRINE_LOG_LEVEL: 'x', [name]: value, [written]: value };
    expect(() => portalFromEnv({ ...env, ...others })).not.toThrow('rename');
    expect(portalFromEnv({ ...env, VITRINE_WEBHOOK_SECRET: 'x', VITRINE_LOG_LEVEL: 'x' })).toBeDefined();
  });

  it('suggests no variable that is read, or far from a missing one', () => {
    const { VITRINE_PASSPHRASE, ...others } = env;
    const read = () =>
      portalFromEnv({ ...others, VITRINE_LOG_LEVEL: 'debug', PASSPHRASE: VITRINE_PASSPHRASE });
    expect(read).toThrow('VITRINE_PASSPHRASE');
    expect(read).not.toThrow('rename');
  });

  it('lists everything that is missing at once, and shows no existing value', () => {
    const error = (() => {
      try {
        return portalFromEnv({ VITRINE_API_KEY: env.VITRINE_API_KEY, VITRINE_TENANT_URL: '  ' });
      } catch (thrown) {
        return String(thrown);
      }
    })();
    for (const name of Object.keys(env).filter((name) => name !== 'VITRINE_API_KEY'))
      expect(error).toContain(name);
    expect(error).not.toContain(env.VITRINE_API_KEY);
    expect(error).toContain('missing_environment');
  });
});
