import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { mintPath } from '../../src/conformance/lib/createContext.ts';
import type { ConformanceRun } from '../../src/conformance/lib/report.ts';
import { runCommand, temporaryFolder } from '../commands/support/runCommand.ts';
import { changingRow, isTo } from './controls/breakages.ts';
import { otherChoices } from './controls/otherChoices.ts';
import { type Breakage, type PassedRequest, startBrokenService } from './controls/startBrokenService.ts';
import { environmentOf, fillAuditLog, sharedPortal } from './support/sharedPortal.ts';

const started = sharedPortal(':memory:', { hasActions: true });
beforeAll(() => fillAuditLog(started().target));

/** Checks a deployment as the command does. */
const run = async (
  breakage: Breakage,
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) => {
  const seen: PassedRequest[] = [];
  const { target, close } = await startBrokenService(started().target, {
    ...breakage,
    request: (request, of) => {
      seen.push(request);
      return breakage.request?.(request, of) ?? request;
    },
  });
  onTestFinished(close);
  const cwd = temporaryFolder();
  const { exitCode, stdout, stderr } = await runCommand(['conformance', ...options], {
    cwd,
    env: { ...environmentOf(target), ...env },
  });
  const said = `${stdout}${stderr}`;
  const json = readFileSync(join(cwd, 'conformance-results', 'conformance.json'), 'utf8');
  const markdown = readFileSync(join(cwd, 'conformance-results', 'conformance.md'), 'utf8');
  return { exitCode, said, seen, json, markdown, report: JSON.parse(json) as ConformanceRun };
};

const methods = (seen: readonly PassedRequest[]) => [...new Set(seen.map(({ method }) => method))].sort();

const differing = ({ results }: ConformanceRun) =>
  results.filter(({ finding }) => finding.outcome === 'differs').map(({ title }) => title);

describe('a run against another deployment', () => {
  it('only reads by default, and lists what it did not check', async () => {
    const { seen, report, exitCode, markdown } = await run({});
    expect(methods(seen)).toEqual(['GET']);
    expect(exitCode).toBe(0);
    expect(report.results.filter(({ finding }) => finding.outcome === 'as expected').length).toBeGreaterThan(
      15,
    );
    const unasked = report.results
      .filter(({ effect }) => effect !== 'read')
      .map(({ finding }) => finding.outcome);
    expect(new Set(unasked)).toEqual(new Set(['not checked']));
    const [, unchecked = ''] = markdown.split('## Not checked\n');
    const under = (reason: string) =>
      unchecked.split('\n### ').find((group) => group.split('\n', 1)[0]?.endsWith(`: ${reason}`));
    expect(under('writes: allow it with --allow-writes')).toContain(
      '\n- 4.1 DELETE /v1/users/{userId} removes the user permanently\n',
    );
    expect(under('creates encrypted keys: allow it with --allow-keys')).toContain('\n- 4.6 ');
    expect(under('needs a second tenant (VITRINE_SECOND_…)')).toContain('\n- 1 tenants are');
    expect(unchecked).toMatch(
      /: needs a click in a report: name a captured delivery with --webhook\n\n- 6\.1 /,
    );
  });

  it('creates keys and writes nothing else with --allow-keys', async () => {
    const { seen, report } = await run({}, [
      '--allow-keys',
      '--other-item-id',
      String(started().target.otherItemId),
    ]);
    const written = seen.filter(({ method }) => method !== 'GET');
    expect(methods(written)).toEqual(['POST']);
    expect([...new Set(written.map(({ url }) => new URL(url).pathname.replace('/v1/api', '/api')))]).toEqual([
      mintPath,
    ]);
    expect(differing(report)).toEqual([]);
  });

  it('compares a captured webhook delivery with the interface', async () => {
    const { actions } = started().target;
    const action = actions?.[0];
    if (action === undefined) throw new Error('The portal has nobody who acts.');
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-capture-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const look = async (text: string) => {
      const file = join(folder, 'capture.json');
      writeFileSync(file, JSON.stringify({ ...action, text }));
      // The portal behind the proxy is known by another port, in clientUrl.
      const VITRINE_TENANT_URL = started().target.tenantUrl;
      const { report, json, markdown } = await run({}, ['--webhook', file], { VITRINE_TENANT_URL });
      expect(json.includes(action.secret ?? '')).toBe(false);
      return [...differing(report), ...(markdown.match(/Expected: .*/g) ?? [])];
    };
    const { text } = action;
    expect(await look(text)).toEqual([]);
    expect(await look(text.replace('"reportName":', '"name":'))).toEqual([
      '6.1 the metadata describes the tenant, the report, the visual and the time of the click',
      'Expected: reportName: string. Display name of the report',
    ]);
    expect(await look(text.replace('"actionTriggeredAt":', '"at":'))).toEqual([
      expect.stringContaining('6.1 the metadata'),
      'Expected: metadata',
    ]);
  });

  it('quotes the sentence that a difference comes from', async () => {
    const broken = await run(changingRow('GET /v1/users', { type: 'Pigeon' }));
    expect(broken.exitCode).toBe(2);
    expect(broken.markdown).toContain(
      [
        '### 4.1 GET /v1/users returns the list as JSON, with fields of the stated types\n',
        '> | GET | /v1/users | none | paginated list of users |\n',
        '- Expected: type: string, enum. Identity kind. Allowed: DirectoryAD, DirectoryADExternal, UserPass, MobileID',
        '- Seen: Pigeon\n',
      ].join('\n'),
    );
  });

  it.each(otherChoices)('finds no difference in a service with $name', async ({ breakage }) => {
    const { report, exitCode } = await run(breakage, ['--allow-writes', '--item-id', '1045']);
    expect(differing(report)).toEqual([]);
    expect(exitCode).toBe(0);
  });

  it('writes no secret and no key to its report, even if the service repeats them', async () => {
    const { apiKey, passPhrase } = started().target;
    const { json, markdown, said } = await run(
      {
        answer: (answer, request) =>
          // A run starts if it can read a list.
          isTo(request, 'GET /v1/roles')
            ? answer
            : {
                ...answer,
                status: answer.status === 200 ? 418 : answer.status,
                text: `${request.headers['authorization']} ${request.body} ${answer.text}`,
              },
      },
      ['--allow-keys', '--item-id', '1045'],
    );
    const key = /"key":"(?!\[redacted\])/;
    for (const text of [json, markdown, said]) {
      expect(text.includes(apiKey) || text.includes(passPhrase)).toBe(false);
      expect(key.test(text) || key.test(text.replaceAll('\\"', '"'))).toBe(false);
    }
  });
});

describe('a run that cannot start', () => {
  const start = async (options: readonly string[], env: Readonly<Record<string, string>>) => {
    const { exitCode, stderr } = await runCommand(['conformance', ...options], {
      env: { ...environmentOf(started().target), ...env },
      cwd: process.cwd(),
    });
    return { exitCode, stderr };
  };

  it.each([
    ['an unknown option', ['--pigeon'], {}, /unknown option '--pigeon'/],
    [
      'an invalid address',
      [],
      { VITRINE_BASE_URL: 'ftp://user:hidden@a.example?secret=hidden' },
      /VITRINE_BASE_URL/,
    ],
    [
      'a missing address',
      [],
      { VITRINE_API_BASE_URL: '' },
      /`vitrine conformance` needs the environment variable VITRINE_API_BASE_URL\. Set them, or name their file with --env/,
    ],
    ['an invalid tenant number', [], { VITRINE_TENANT_ID: 'acme' }, /VITRINE_TENANT_ID/],
    ['a missing key', [], { VITRINE_API_KEY: '' }, /VITRINE_API_KEY/],
    [
      'a missing value of the second tenant',
      [],
      { VITRINE_SECOND_API_KEY: 'hidden' },
      /needs the environment variables VITRINE_SECOND_TENANT_URL, .*VITRINE_SECOND_PASSPHRASE/,
    ],
    [
      'a captured webhook that does not exist',
      ['--webhook', 'nowhere.json'],
      {},
      /^Could not read \S+nowhere\.json: the file does not exist\. Set --webhook to a JSON file with a captured delivery/,
    ],
    [
      'a captured webhook that is not JSON',
      ['--webhook', 'README.md'],
      {},
      /README\.md cannot be used: it is not JSON\. Set --webhook/,
    ],
    [
      'the missing parts of a captured webhook',
      ['--webhook', 'package.json'],
      {},
      /package\.json cannot be used: it has no valid "method"\. Set --webhook/,
    ],
    ['an invalid item', ['--item-id', 'sales'], {}, /--item-id is "sales"\. Use 1 or more/],
  ])('names %s and exits with 1', async (_what, options, env, message) => {
    const { exitCode, stderr } = await start(options, env);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('hidden');
  });
});
