import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConformanceRun } from '../../src/conformance/lib/conformanceRun.ts';
import { mintPath } from '../../src/conformance/lib/createContext.ts';
import { runCommand, temporaryFolder } from '../cli/support/runCommand.ts';
import { changingRow } from './controls/breakages.ts';
import { otherChoices } from './controls/otherChoices.ts';
import { type Breakage, type PassedRequest, startBrokenService } from './controls/startBrokenService.ts';
import { sharedPortal } from './support/sharedPortal.ts';

const started = sharedPortal();

/** Checks a deployment as the command does: URLs as options, secrets in the environment. */
const run = async (breakage: Breakage, options: readonly string[] = []) => {
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
  const given = {
    'base-url': target.baseUrl,
    'api-base-url': target.apiBaseUrl,
    'tenant-url': target.tenantUrl,
  };
  const addresses = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
  const { exitCode, stdout, stderr } = await runCommand(['conformance', ...addresses, ...options], {
    cwd,
    env: {
      VITRINE_TENANT_ID: String(target.tenantId),
      VITRINE_TENANCY_NAME: target.tenancyName,
      VITRINE_API_KEY: target.apiKey,
      VITRINE_PASSPHRASE: target.passPhrase,
    },
  });
  const said = `${stdout}${stderr}`;
  const json = readFileSync(join(cwd, 'conformance-results', 'conformance.json'), 'utf8');
  const markdown = readFileSync(join(cwd, 'conformance-results', 'conformance.md'), 'utf8');
  return { exitCode, said, seen, json, markdown, report: JSON.parse(json) as ConformanceRun };
};

const methods = (seen: readonly PassedRequest[]) => [...new Set(seen.map(({ method }) => method))].sort();

const againstTheInterface = ({ results }: ConformanceRun) =>
  results.filter(({ basis, finding }) => basis === 'interface' && finding.outcome === 'differs');

describe('a run against another deployment', () => {
  it('only reads by default, and lists what it did not check', async () => {
    const { seen, report, exitCode, markdown } = await run({});
    expect(methods(seen)).toEqual(['GET']);
    expect(exitCode).toBe(0);
    expect(report.counts.interface.asExpected).toBeGreaterThan(30);
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
    expect(againstTheInterface(report)).toEqual([]);
  });

  it('compares a captured webhook delivery with the interface', async () => {
    const { actions } = started().target;
    const action = await actions?.trigger({ gesture: 'one row', receiverStatus: 204, hasSecret: true });
    if (action === undefined) throw new Error('The portal has nobody who acts.');
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-capture-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const look = async (text: string) => {
      const file = join(folder, 'capture.json');
      writeFileSync(file, JSON.stringify({ ...action, ...action.received[0], text }));
      // The portal behind the proxy is known by another port, in clientUrl.
      const { report, json } = await run({}, ['--webhook', file, '--tenant-url', started().target.tenantUrl]);
      expect(json.includes(action.secret ?? '')).toBe(false);
      return againstTheInterface(report).map(({ title }) => title);
    };
    const { text = '' } = action.received[0] ?? {};
    expect(await look(text)).toEqual([]);
    expect(await look(text.replace('"reportName":', '"name":'))).toEqual([
      '6.1 metadata.reportName is the display name of the report',
    ]);
  });

  it('distinguishes differences from the interface and differences from our choices', async () => {
    const broken = await run(changingRow('GET /v1/users', { type: 'Pigeon', lastLoginAt: undefined }));
    expect(broken.exitCode).toBe(2);
    const [stated = '', chosen = ''] = broken.markdown.split('## Differences from our choices');
    expect(stated).toContain('| 2.1 the fields of a listed user have the stated types');
    expect(stated).not.toContain('our choice:');
    expect(chosen).toContain('(our choice: returned user)');
  });

  it('does not fail for choices that differ from ours', async () => {
    const free = await run(changingRow('GET /v1/users', { lastLoginAt: undefined }));
    expect(free.report.counts.choice.differs).toBeGreaterThan(0);
    expect(free.exitCode).toBe(0);
  });

  it.each(otherChoices)(
    'finds no difference from the interface in a service with $name',
    async ({ breakage }) => {
      const { report, exitCode } = await run(breakage, ['--allow-writes', '--item-id', '1045']);
      const against = report.results.filter(
        ({ basis, finding }) => basis === 'interface' && finding.outcome === 'differs',
      );
      expect(against).toEqual([]);
      expect(exitCode).toBe(0);
      expect(report.counts.choice.differs).toBeGreaterThan(10);
    },
  );

  it('writes no secret and no key to its report, even if the service repeats them', async () => {
    const { apiKey, passPhrase } = started().target;
    const { json, markdown, said } = await run(
      {
        answer: (answer, { headers, body }) => ({
          ...answer,
          status: answer.status === 200 ? 418 : answer.status,
          text: `${headers['authorization']} ${body} ${answer.text}`,
        }),
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
  const start = async (args: readonly string[], env: Record<string, string> = {}) => {
    const { exitCode, stderr } = await runCommand(['conformance', ...args], { env, cwd: process.cwd() });
    return { exitCode, stderr };
  };
  const whole = [
    '--base-url',
    'https://a.example',
    '--api-base-url',
    'https://a.example',
    '--tenant-url',
    'https://t.example',
  ];

  it.each([
    ['an unknown option', ['--pigeon'], /unknown option '--pigeon'/],
    [
      'an invalid address',
      ['--base-url', 'ftp://user:hidden@a.example?secret=hidden'],
      /--base-url \(or VITRINE_BASE_URL\) is "ftp:\/\/a\.example": it is not an http or https address\. Use one such as https:\/\/portal\.example\./,
    ],
    [
      'a missing address',
      ['--base-url', 'https://a.example'],
      /--api-base-url \(or VITRINE_API_BASE_URL\) is not set\. Set it in the environment, or in a file with --env\./,
    ],
    [
      'an invalid tenant number',
      [...whole, '--tenant-id', 'acme'],
      /--tenant-id \(or VITRINE_TENANT_ID\) is "acme"\. Use a whole number, such as 101\./,
    ],
    [
      'a missing key',
      [...whole, '--tenant-id', '7', '--tenancy-name', 'acme'],
      /VITRINE_API_KEY is not set\. Set it in the environment, or in a file with --env\./,
    ],
    [
      'a captured webhook that does not exist',
      [...whole, '--tenant-id', '7', '--tenancy-name', 'acme', '--webhook', 'nowhere.json'],
      /^Could not read \S+nowhere\.json: the file does not exist\. Set --webhook to a JSON file with a captured delivery/,
    ],
    [
      'a captured webhook that is not JSON',
      [...whole, '--tenant-id', '7', '--tenancy-name', 'acme', '--webhook', 'README.md'],
      /^The file \S+README\.md is not a JSON object\. Set --webhook to a JSON file with a captured delivery/,
    ],
    [
      'an invalid item',
      [
        ...whole,
        '--tenant-id',
        '7',
        '--tenancy-name',
        'acme',
        '--webhook',
        'package.json',
        '--item-id',
        'sales',
      ],
      /--item-id is "sales"\. Use a whole number/,
    ],
  ])('names %s and exits with 1', async (_what, args, message) => {
    const hasKey = args.includes('--webhook');
    const { exitCode, stderr } = await start(args, hasKey ? { VITRINE_API_KEY: 'a key' } : {});
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('hidden');
  });

  it('names the missing parts of a captured webhook', async () => {
    const args = [...whole, '--tenant-id', '7', '--tenancy-name', 'acme', '--webhook', 'package.json'];
    const { stderr } = await start(args, { VITRINE_API_KEY: 'a key' });
    expect(stderr).toContain('The file of --webhook must have the text "method".');
  });

  it('asks for the passphrase only with --allow-keys', async () => {
    const args = [...whole, '--tenant-id', '7', '--tenancy-name', 'acme', '--allow-keys'];
    const { stderr } = await start(args, { VITRINE_API_KEY: 'a key' });
    expect(stderr).toContain('VITRINE_PASSPHRASE is not set.');
  });
});
