import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { createPortalClient } from '@vitrine/portal-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../sync/support/serve.ts';
import { runCommand } from './support/runCommand.ts';

let portal: Portal;
let tenant: PortalTenant;
beforeAll(async () => {
  portal = await createPortal();
  tenant = await portal.createTenant();
});
afterAll(() => portal.close());

const vitrine = (line: string | readonly string[], env: Record<string, string> = {}) =>
  runCommand(line, {
    env: { VITRINE_BASE_URL: tenant.baseUrl, VITRINE_API_KEY: tenant.apiKey, ...env },
  });

describe('vitrine api', () => {
  it('prints the body of a response', async () => {
    const { exitCode, stdout } = await vitrine('api GET /v1/users?pageSize=2');
    expect([exitCode, JSON.parse(stdout).items.length]).toEqual([0, 2]);
  });

  it('sends a body, and asks before it changes something', async () => {
    const line = ['api', 'POST', '/v1/roles', '--data', '{"name":"Planners","type":"Report"}'];
    const asked = await vitrine(line);
    expect([asked.exitCode, asked.stderr]).toEqual([1, expect.stringContaining('Send POST /v1/roles to ')]);
    const { exitCode, stdout } = await vitrine([...line, '--yes']);
    expect([exitCode, JSON.parse(stdout).name]).toEqual([0, 'Planners']);
    const kept = await vitrine([...line, '--yes', '--read-only']);
    expect([kept.exitCode, kept.stderr]).toEqual([1, expect.stringContaining('because of --read-only')]);
  });

  it('rejects a body for GET, which has none', async () => {
    const { exitCode, stdout, stderr } = await vitrine(['api', 'GET', '/v1/users', '--data', '{"page":2}']);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('A GET has no body, so --data was not sent. Put its values into the path');
  });

  it('prints a response without JSON as JSON with --json', async () => {
    const service = await serve(() => ({ status: 204 }));
    const { stdout } = await vitrine('api DELETE /v1/things/1 --yes --json', {
      VITRINE_BASE_URL: service.baseUrl,
    });
    expect(JSON.parse(stdout)).toEqual({ status: 204, body: '' });
  });

  it('reads every page of a list, each row once', async () => {
    await using client = createPortalClient({ baseUrl: tenant.baseUrl, apiKey: tenant.apiKey });
    for (let number = 0; number < 205; number += 1)
      await client.users.create({
        type: 'UserPass',
        email: `user-${number}@acme.example`,
        firstName: 'A',
        lastName: 'B',
      });
    const emails = async (path: string): Promise<string[]> =>
      JSON.parse((await vitrine(`api GET ${path} --paginate`)).stdout).map(
        ({ email }: { email: string }) => email,
      );
    const all = await emails('/v1/users');
    expect(all).toContain('user-204@acme.example');
    expect(new Set(all).size).toBe(all.length);
    expect(await emails('/v1/users?pageSize=7')).toEqual(all);
  });

  it.each([
    ['a bare list that ignores pages', [{ id: 1 }], 1],
    ['a list without a total that ignores pages', { items: [{ id: 1 }] }, 1],
    ['an empty list', { items: [] }, 0],
  ])('ends with %s', async (_name, body, count) => {
    const service = await serve(() => ({ body }));
    const { stdout } = await vitrine('api GET /v1/things --paginate', { VITRINE_BASE_URL: service.baseUrl });
    expect(JSON.parse(stdout)).toHaveLength(count);
  });

  it.each(['', ' --paginate', ' --json'])('prints the digits of an ID beyond 2^53: api%s', async (option) => {
    const service = await serve(() => ({ body: '[{"id": 9007199254740993, "unit": 1.5}, {"id": 3}]' }));
    const { stdout } = await vitrine(`api GET /v1/users${option}`, { VITRINE_BASE_URL: service.baseUrl });
    expect(stdout.replaceAll(/\s/g, '')).toBe('[{"id":9007199254740993,"unit":1.5},{"id":3}]');
  });

  it('prints the body of a refusal without the key, and exits with 1', async () => {
    const missing = await vitrine('api GET /v1/users/999999');
    expect(missing.exitCode).toBe(1);
    expect(JSON.parse(missing.stdout).error.code).toBe('not_found');
    expect(missing.stderr).toBe('The portal refused GET /v1/users/999999 (status 404).\n');
    const service = await serve(({ headers }) => ({ status: 400, body: { got: headers['authorization'] } }));
    const { stdout, stderr } = await vitrine('api GET /v1/users', { VITRINE_BASE_URL: service.baseUrl });
    expect(stdout).toContain('Bearer ***');
    expect(stdout + stderr).not.toContain(tenant.apiKey);
  });

  it('prints neither key nor passphrase in any form, and the rest unchanged', async () => {
    const passPhrase = 'my "pass" phrase/+&';
    const formsOf = (text: string) => [
      text,
      JSON.stringify(text).slice(1, -1),
      encodeURIComponent(text),
      new URLSearchParams({ of: text }).toString().slice(3),
      Buffer.from(text).toString('base64'),
    ];
    const previous = 'the key of "before"';
    const forms = [passPhrase, tenant.apiKey, previous].flatMap(formsOf);
    const others = formsOf('your "own" text/+&');
    const print = async (status: number, body: unknown) => {
      const service = await serve(() => ({ status, body }));
      const { stdout, stderr } = await vitrine('api GET /v1/users', {
        VITRINE_BASE_URL: service.baseUrl,
        VITRINE_PASSPHRASE: passPhrase,
        VITRINE_API_KEY_PREVIOUS: previous,
      });
      return stdout + stderr;
    };
    for (const status of [200, 400])
      for (const wrap of [
        (texts: readonly string[]) => ({ texts }),
        (texts: readonly string[]) => texts.join('\n'),
      ]) {
        const said = await print(status, wrap(forms));
        for (const form of forms) expect(said.includes(form)).toBe(false);
        // The control: the same forms of a text that is no secret.
        const shown = await print(status, wrap(others));
        for (const form of others)
          expect(shown.replaceAll(/\\(["\\])/g, '$1')).toContain(form.replaceAll('\\', ''));
      }
  });

  it('follows no redirect, which would pass on the key', async () => {
    const other = await serve(() => ({ body: {} }));
    const service = await serve(() => ({ status: 302, headers: { location: other.baseUrl } }));
    const { exitCode } = await vitrine('api GET /v1/users', { VITRINE_BASE_URL: service.baseUrl });
    expect([exitCode, other.requests]).toEqual([1, []]);
  });

  it.each([
    ['api FETCH /v1/users', 'The method is "FETCH".'],
    ['api GET v1/users', 'The path is "v1/users".'],
    ['api GET //elsewhere.example/v1', 'The path is "//elsewhere.example/v1".'],
    ['api GET /v1/../secrets', 'The path is "/v1/../secrets".'],
    ['api POST /v1/users --data {', '--data is not valid JSON.'],
    ['api DELETE /v1/users/1 --paginate --yes', 'use it with GET, not DELETE.'],
    ['api GET /_control --paginate', 'page 1 is not a list'],
  ])('rejects %s', async (line, message) => {
    const { exitCode, stdout, stderr } = await vitrine(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('says that the portal does not respond', async () => {
    const { exitCode, stderr } = await vitrine('api GET /v1/users', {
      VITRINE_BASE_URL: 'http://127.0.0.1:9',
    });
    expect([exitCode, stderr]).toEqual([
      1,
      'GET /v1/users: http://127.0.0.1:9 did not respond (ECONNREFUSED).\n',
    ]);
  });
});

it.each(['VITRINE_PASSPHRASE', 'VITRINE_PASSPHRASE_PREVIOUS', 'VITRINE_API_KEY_PREVIOUS'])(
  'no command that fails prints the value of %s; control: another text',
  async (name) => {
    const passPhrase = `my "${name}" phrase/+&`;
    const forms = [passPhrase, encodeURIComponent(passPhrase), JSON.stringify(passPhrase).slice(1, -1)];
    const service = await serve(() => ({
      status: 400,
      body: { message: `of ${forms.join(' and ')} and text/+&` },
    }));
    const { stdout, stderr } = await vitrine('users list', {
      VITRINE_BASE_URL: service.baseUrl,
      [name]: passPhrase,
    });
    expect(stdout + stderr).toContain('of *** and *** and *** and text/+&');
  },
);

it('a command says that the headers of a response are too large', async () => {
  const headers = { 'x-large': Array.from({ length: 5 }, () => 'c'.repeat(4000)) };
  const service = await serve(() => ({ headers, body: {} }));
  const { stderr } = await vitrine('users list', { VITRINE_BASE_URL: service.baseUrl });
  expect(stderr).toMatch(/headers of the response are larger than 16 KB\. Ask the operator/);
});
