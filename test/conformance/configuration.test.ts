import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand, temporaryFolder } from '../commands/support/runCommand.ts';
import { isTo, made } from './controls/breakages.ts';
import { otherChoices } from './controls/otherChoices.ts';
import { type Breakage, startBrokenService } from './controls/startBrokenService.ts';
import { environmentOf, sharedPortal } from './support/sharedPortal.ts';

const started = sharedPortal();

/** Runs the command with options and changed variables, and says whether the checks ran. */
const run = async (
  options: readonly string[],
  { env, breakage = {} }: { readonly env?: Record<string, string>; readonly breakage?: Breakage } = {},
) => {
  const { target, close } = await startBrokenService(started().target, breakage);
  onTestFinished(close);
  const cwd = temporaryFolder();
  const changed = Object.entries(env ?? {}).map(([name, value]) => [
    name,
    value.replace('{base}', target.baseUrl),
  ]);
  const { exitCode, stderr } = await runCommand(['conformance', ...options], {
    cwd,
    env: { ...environmentOf(target), ...(Object.fromEntries(changed) as Record<string, string>) },
  });
  const hasRun = existsSync(join(cwd, 'conformance-results'));
  return { exitCode, hasRun, message: stderr.replaceAll(target.baseUrl, '{base}') };
};

/** The variables of the portal's second tenant. */
const secondTenantEnvironment = () => {
  const { secondTenant } = started().target;
  if (secondTenant === undefined) throw new Error('The portal has one tenant.');
  return {
    VITRINE_SECOND_API_KEY: secondTenant.apiKey,
    VITRINE_SECOND_PASSPHRASE: secondTenant.passPhrase,
    VITRINE_SECOND_TENANT_URL: secondTenant.tenantUrl,
    VITRINE_SECOND_TENANT_ID: String(secondTenant.tenantId),
    VITRINE_SECOND_TENANCY_NAME: secondTenant.tenancyName,
  };
};

const rejected = (message: string | RegExp) => ({
  exitCode: 1,
  hasRun: false,
  message: typeof message === 'string' ? `${message}\n` : expect.stringMatching(message),
});

describe('a run with a wrong configuration', () => {
  it('names the key that the portal rejects', async () => {
    expect(await run([], { env: { VITRINE_API_KEY: 'not-the-key' } })).toEqual(
      rejected(
        'No list of the administration can be read at {base} (status 401 for /v1/items). Check VITRINE_BASE_URL, VITRINE_API_KEY and the permissions of this key.',
      ),
    );
  });

  it.each(otherChoices)('names the rejected key of a portal with $name', async ({ breakage }) => {
    expect(await run([], { breakage, env: { VITRINE_API_KEY: 'not-the-key' } })).toEqual(
      rejected(/^No list .* \(status \d+ for .* VITRINE_API_KEY and /),
    );
  });

  it('names the permissions that the key lacks', async () => {
    const { apiKeyWithoutPermissions = '' } = started().target;
    expect(await run([], { env: { VITRINE_API_KEY: apiKeyWithoutPermissions } })).toEqual(
      rejected(/^No list .* \(status 403 for .* VITRINE_API_KEY and the permissions/),
    );
  });

  it('names the rejected key of the second tenant', async () => {
    const env = { ...secondTenantEnvironment(), VITRINE_SECOND_API_KEY: 'not-the-key' };
    expect(await run([], { env })).toEqual(
      rejected(/^No list .* \(status 401 for .* VITRINE_SECOND_API_KEY and /),
    );
  });

  it.each([
    ['VITRINE_TENANT_ID', '999', 'VITRINE_TENANT_ID'],
    ['VITRINE_TENANCY_NAME', 'zzz', 'VITRINE_TENANCY_NAME'],
    ['VITRINE_PASSPHRASE', 'Xq82-Lw0x-Zn47', 'VITRINE_PASSPHRASE'],
    ['VITRINE_API_BASE_URL', '{base}/api', 'VITRINE_API_BASE_URL'],
    ['VITRINE_SECOND_PASSPHRASE', 'Xq82-Lw0x-Zn47', 'VITRINE_SECOND_PASSPHRASE'],
    ['VITRINE_SECOND_TENANCY_NAME', 'zzz', 'VITRINE_SECOND_TENANCY_NAME'],
    ['VITRINE_SECOND_PASSPHRASE', '', 'VITRINE_SECOND_PASSPHRASE'],
    ['VITRINE_SECOND_TENANT_ID', '101', 'VITRINE_SECOND_TENANT_ID'],
  ])('names %s when it is %j', async (name, value, named) => {
    const { exitCode, hasRun, message } = await run(['--allow-keys'], {
      env: { ...secondTenantEnvironment(), [name]: value },
    });
    expect({ exitCode, hasRun }).toEqual({ exitCode: 1, hasRun: false });
    expect(message).toMatch(new RegExp(`\\b${named}\\b`));
    expect(message).not.toContain('Xq82');
  });

  it('control: the right values start a run', async () => {
    expect((await run(['--allow-keys'], { env: secondTenantEnvironment() })).hasRun).toBe(true);
  });

  it('names the API key that is given for one without permissions', async () => {
    const env = { VITRINE_API_KEY_WITHOUT_PERMISSIONS: started().target.apiKey };
    expect(await run([], { env })).toEqual(rejected(/^VITRINE_API_KEY_WITHOUT_PERMISSIONS is the same key/));
  });

  it('names an address that is not the administration API', async () => {
    expect(await run([], { env: { VITRINE_BASE_URL: '{base}/foo/' } })).toEqual(
      rejected(/^No list of .* at \{base\}\/foo\/? \(status 404 .* Check VITRINE_BASE_URL,/),
    );
  });

  it.each([
    ['redirects', { ...made(302), headers: { location: 'https://sign-in.example' } }, 'status 302'],
    [
      'shows a web page',
      { ...made(200), headers: { 'content-type': 'text/html' }, text: '<html>' },
      'status 200',
    ],
    ['fails', made(500), 'status 500'],
  ])('names an address that %s', async (_what, answer, seen) => {
    const breakage: Breakage = { request: (request) => (isTo(request, 'GET /v1/*') ? answer : request) };
    expect(await run([], { breakage })).toEqual(
      rejected(new RegExp(`^No list of .* at \\{base\\} \\(${seen} for .* Check VITRINE_BASE_URL,`)),
    );
  });

  it('names an item that the portal does not have', async () => {
    expect(await run(['--allow-keys', '--item-id', '9999'])).toEqual(
      rejected(/^The portal creates no key for report 9999 \(status 404\)\./),
    );
  });

  it.each([
    [
      '--role-name region-north --other-role-name region-north',
      '--role-name and --other-role-name are both "region-north".',
    ],
    ['--item-id 1042 --other-item-id 1042', '--item-id and --other-item-id are both 1042.'],
  ])('names two options with the same value: %s', async (options, message) => {
    expect(await run(options.split(' '))).toEqual(rejected(`${message} Name two, or only one.`));
  });
});

describe('a run is not rejected for', () => {
  it.each([
    ['that the portal refuses', made(403)],
    ['without rows', made(200, {})],
  ])('one list %s: its checks decide', async (_what, answer) => {
    const breakage: Breakage = { request: (request) => (isTo(request, 'GET /v1/items') ? answer : request) };
    expect((await run(['--allow-keys'], { breakage })).hasRun).toBe(true);
  });
});
