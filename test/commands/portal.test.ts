import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { allowAll, createFetchHandler, portalFromEnv } from '@vitrine/server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../src/cli/lib/runCli.ts';
import { keyRequest } from '../support/keyRequest.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

const collector = () => {
  let text = '';
  const listeners = new Set<() => void>();
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      for (const listener of listeners) listener();
      done();
    },
  });
  const contains = (part: string) =>
    new Promise<string>((resolve) => {
      const look = () => {
        if (text.includes(part)) resolve(text);
      };
      listeners.add(look);
      look();
    });
  return { stream, text: () => text, contains };
};

const start = (...args: string[]) => {
  const stdout = collector();
  const stderr = collector();
  const stop = new AbortController();
  const exitCode = runCli(args, {
    env: {},
    cwd: folder,
    stdin: new PassThrough(),
    stdout: stdout.stream,
    stderr: stderr.stream,
    signal: stop.signal,
  });
  return { stdout, stderr, exitCode, stop: () => stop.abort() };
};
const run = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = start(...args);
  return { exitCode: await exitCode, stdout: stdout.text(), stderr: stderr.text() };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('vitrine portal', () => {
  it('starts a portal, prints everything that a host app needs, and ends on request', async () => {
    const portal = start('portal', '--port', '0');
    const text = await portal.stdout.contains('Ctrl-C');
    const url = /Portal\s+(http:\/\/127\.0\.0\.1:\d+)/.exec(text)?.[1] ?? '';
    const env = parseEnv(/acme \(tenant 101\)[^]*?\n\n/.exec(text)?.[0] ?? '');
    expect(env['VITRINE_TENANT_URL']).toMatch(/^http:\/\/acme\.localhost:\d+$/);
    const answer = await fetch(`${env['VITRINE_BASE_URL']}/v1/users`, {
      headers: { authorization: `Bearer ${env['VITRINE_API_KEY']}` },
    });
    expect(answer.status).toBe(200);
    const host = createFetchHandler({
      portal: portalFromEnv(env),
      viewer: () => ({ userId: 'north.manager@acme.example', roleNames: ['region-north'] }),
      canView: allowAll,
    });
    expect((await host(keyRequest(1042))).status).toBe(200);
    await host.close();
    portal.stop();
    expect(await portal.exitCode).toBe(0);
    await expect(fetch(`${url}/v1/users`)).rejects.toThrow('fetch failed');
  });

  it('sends the clicks of every tenant to the webhook of a host app, and rejects an invalid address', async () => {
    const target = 'http://127.0.0.1:3000/webhooks/portal';
    const portal = start('portal', '--port', '0', '--action-target', target);
    const text = await portal.stdout.contains('Ctrl-C');
    const url = /Portal\s+(\S+)/.exec(text)?.[1] ?? '';
    for (const tenancyName of ['acme', 'globex']) {
      const answer = await fetch(`${url}/_control/tenants/${tenancyName}/lists/tasks`);
      const { items } = (await answer.json()) as { items: { kind: string; webhookUrl?: string }[] };
      const webhooks = items.filter(({ kind }) => kind === 'webhook');
      expect(webhooks.map(({ webhookUrl }) => webhookUrl)).toEqual(webhooks.map(() => target));
    }
    portal.stop();
    await portal.exitCode;
    expect(await run('portal', '--port', '0', '--action-target', 'localhost:3000')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('--action-target is a text of 14 characters: it must be'),
    });
  });

  it('warns when others on the network can reach it', async () => {
    const portal = start('portal', '--port', '0', '--host', '0.0.0.0');
    expect(await portal.stderr.contains('/_control')).toContain('can change everything here');
    portal.stop();
    await portal.exitCode;
  });

  it('reports that its port is taken, and uses another with --port auto', async () => {
    const first = start('portal', '--port', 'auto');
    const port = /127\.0\.0\.1:(\d+)/.exec(await first.stdout.contains('Ctrl-C'))?.[1] ?? '';
    expect(await run('portal', '--port', port)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(`Port ${port} is in use by .*--port auto`),
    });
    first.stop();
    expect(await first.exitCode).toBe(0);
  });

  it('uses the given names', async () => {
    const portal = start(
      'portal',
      '--port=auto',
      '--public-url=http://portal.test:4400',
      '--tenant-url-template=http://{tenant}.portal.test:4400',
    );
    const text = await portal.stdout.contains('Ctrl-C');
    expect(text).toContain('VITRINE_TENANT_URL=http://globex.portal.test:4400');
    expect(text).toContain('VITRINE_BASE_URL=http://portal.test:4400');
    portal.stop();
    await portal.exitCode;
    expect(await run('portal', '--port', 'auto', '--public-url', 'portal.test')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('must be an origin'),
    });
  });

  it('writes the variables of a tenant to an .env file and keeps every other line', async () => {
    const file = join(folder, '.env.local');
    await writeFile(
      file,
      '# mine\nPORT=3000\nexport VITRINE_TENANT_ID=7\n\nMY_VITRINE_API_KEY=keep\nVITRINE_API_KEY=development-only-api-key.old # before: real-secret',
    );
    const portal = start('portal', '--port', 'auto', '--write-env', '.env.local', '--tenant', 'globex');
    await portal.stdout.contains('Ctrl-C');
    expect(portal.stderr.text()).toContain('Wrote the variables of globex to .env.local.');
    portal.stop();
    await portal.exitCode;
    const written = await readFile(file, 'utf8');
    expect(written.split('\n').slice(0, 5)).toEqual([
      '# mine',
      'PORT=3000',
      'export VITRINE_TENANT_ID=202',
      '',
      'MY_VITRINE_API_KEY=keep',
    ]);
    const env = parseEnv(written);
    expect(env['VITRINE_TENANCY_NAME']).toBe('globex');
    expect(() => portalFromEnv(env)).not.toThrow();
    expect(written.match(/VITRINE_API_KEY=/g)).toHaveLength(2);
    expect(written).toMatch(/^VITRINE_API_KEY=\S+ # before: real-secret$/m);
  });

  it.each([
    ['an address', 'VITRINE_TENANT_URL=https://prod.example', 'VITRINE_TENANT_URL of prod.example'],
    ['another address', 'VITRINE_BASE_URL=https://prod.example', 'VITRINE_BASE_URL of prod.example'],
    ['an API key without addresses', 'VITRINE_API_KEY=prod-secret', 'a VITRINE_API_KEY that'],
    [
      'an API key beside the address of this machine',
      'VITRINE_TENANT_URL=http://acme.localhost:4460\nexport VITRINE_API_KEY="prod-secret"',
      'a VITRINE_API_KEY that',
    ],
    [
      'an API key above one for development',
      'VITRINE_API_KEY=prod-secret\nVITRINE_API_KEY=development-only-api-key.acme',
      'a VITRINE_API_KEY that',
    ],
    ['a passphrase', "VITRINE_PASSPHRASE='x://prod-secret'", 'a VITRINE_PASSPHRASE that'],
    ['a webhook secret', 'VITRINE_WEBHOOK_SECRET=`prod-secret`', 'a VITRINE_WEBHOOK_SECRET that'],
    [
      'a second line',
      'VITRINE_API_KEY="development-only-api-key.acme\nprod-secret"',
      'a VITRINE_API_KEY that',
    ],
    ['a list', 'VITRINE_API_KEY=development-only-api-key.acme,prod-secret', 'a VITRINE_API_KEY that'],
    ['a colon', 'VITRINE_API_KEY: prod-secret', 'a VITRINE_API_KEY that'],
    ['a tail', "VITRINE_API_KEY='development-only-api-key.acme'prod-secret", 'a VITRINE_API_KEY that'],
    ['another encoding', Buffer.from('N=M\xfcnchen\n', 'latin1'), 'is not UTF-8'],
  ])('replaces no value of another portal: %s', async (_, line, message) => {
    const file = join(folder, 'real.env');
    const before = Buffer.concat([Buffer.from('VITRINE_TENANT_ID=77\n'), Buffer.from(line)]);
    await writeFile(file, before);
    const { exitCode, stderr } = await run('portal', '--port', 'auto', '--write-env', 'real.env');
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) });
    expect(stderr).not.toContain('prod-secret');
    expect(await readFile(file)).toEqual(before);
  });

  it('replaces no value after a byte order mark', async () => {
    const file = join(folder, 'mark.env');
    await writeFile(file, '\uFEFFVITRINE_API_KEY=prod-secret\n');
    const { exitCode, stderr } = await run('portal', '--port', 'auto', '--write-env', 'mark.env');
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('a VITRINE_API_KEY that'),
    });
    expect(await readFile(file, 'utf8')).toBe('\uFEFFVITRINE_API_KEY=prod-secret\n');
  });

  it('warns when git would commit the file with the secrets', async () => {
    const repository = await mkdtemp(join(folder, 'repository-'));
    execFileSync('git', ['init', '--quiet'], { cwd: repository });
    await writeFile(join(repository, '.gitignore'), '*.local\n');
    const errorsOf = async (file: string) => {
      const portal = start('portal', '--port', 'auto', '--write-env', join(repository, file));
      await portal.stdout.contains('Ctrl-C');
      portal.stop();
      await portal.exitCode;
      return portal.stderr.text();
    };
    expect(await errorsOf('.env')).toContain('Git does not ignore it');
    expect(await errorsOf('.env.local')).not.toContain('Git');
  });

  it('runs a command with the variables of a tenant while the portal runs, and ends with it', async () => {
    const script = `
      const { VITRINE_TENANCY_NAME: name, VITRINE_BASE_URL: base, VITRINE_API_KEY: key } = process.env;
      const headers = { authorization: 'Bearer ' + key };
      const { status } = await fetch(base + '/v1/users', { headers });
      require('node:fs').writeFileSync('said.txt', name + ' ' + status);
      process.exitCode = status === 200 && process.argv[2] === 'well' ? 0 : 3;`;
    await writeFile(join(folder, 'app.cjs'), `(async () => {${script}\n})();`);
    const command = `"${process.execPath}" app.cjs`;
    const options = ['--port', 'auto', '--tenant', 'globex', '--run'];
    const done = await run('portal', ...options, `${command} well`);
    expect(done).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringMatching(/^Portal: http:\/\/\S+\n\n$/),
    });
    expect(await readFile(join(folder, 'said.txt'), 'utf8')).toBe('globex 200');
    const [address = ''] = /http:\S+/.exec(done.stderr) ?? [];
    await expect(fetch(address)).rejects.toThrow('fetch failed');
    const failed = await run('portal', ...options, command);
    expect(failed).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(/\nThe program ended with exit code 3\.\n$/),
    });
    const steps = `true && ${command} well && exit 5`;
    expect(await run('portal', ...options, steps)).toMatchObject({ exitCode: 5 });
  });

  it.skipIf(process.platform === 'win32').each(['TERM', 'INT', 'HUP', 'KILL'] as const)(
    'ends with 128 and the number of SIG%s that ended its shell',
    async (name) => {
      const { exitCode } = await run('portal', '--port', 'auto', '--run', `true; kill -${name} $$; sleep 5`);
      expect(exitCode).toBe(128 + constants.signals[`SIG${name}`]);
    },
  );

  const stopped = process.platform === 'win32' ? 1 : 143;
  it.each(['', 'true; ', 'true && '])('ends the command "%s…" when it receives a signal', async (before) => {
    await rm(join(folder, 'pid.txt'), { force: true });
    await writeFile(
      join(folder, 'forever.cjs'),
      "require('node:fs').writeFileSync('pid.txt', String(process.pid)); setInterval(() => undefined, 1000);",
    );
    const portal = start('portal', '--port', 'auto', '--run', `${before}"${process.execPath}" forever.cjs`);
    const readPid = () => readFile(join(folder, 'pid.txt'), 'utf8').catch(() => '');
    await expect.poll(readPid, { timeout: 20_000 }).not.toBe('');
    portal.stop();
    expect(await portal.exitCode).toBe(stopped);
    expect(isRunning(Number(await readPid()))).toBe(false);
    expect(portal.stderr.text()).not.toContain('exit code');
  });

  it('does not start the program after it was told to stop', async () => {
    await rm(join(folder, 'started.txt'), { force: true });
    const command = `"${process.execPath}" -e "require('node:fs').writeFileSync('started.txt', '')"`;
    const portal = start('portal', '--port', 'auto', '--run', command);
    portal.stop();
    expect(await portal.exitCode).toBe(143);
    await expect(stat(join(folder, 'started.txt'))).rejects.toThrow('ENOENT');
  });

  describe.skipIf(process.platform === 'win32')('a program that shuts down', () => {
    const bin = fileURLToPath(new URL('../../src/cli/lib/bin.ts', import.meta.url));
    /** Starts a program whose output is read, without `pgrep` and other programs on its path. */
    const startProgram = async (script: string, before = '', after = '') => {
      const cwd = await mkdtemp(join(folder, 'program-'));
      await writeFile(
        join(cwd, 'program.cjs'),
        `const say = (text) => process.stdout.write(text + ' ');\n${script}`,
      );
      const portal = spawn(
        process.execPath,
        ['--conditions=@vitrine/source', bin, 'portal', '--port', 'auto', '--run'].concat(
          `${before}"${process.execPath}" program.cjs${after}`,
        ),
        { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: cwd } },
      );
      const output = collector();
      portal.stdout.pipe(output.stream);
      const closed = once(portal, 'close');
      await output.contains('pid');
      const pid = Number(/pid (\d+)/.exec(output.text())?.[1]);
      return { portal, pid, closed, output };
    };
    const ready = "say('pid ' + process.pid); setInterval(() => undefined, 1000);\n";
    const slow = (signal: string) => `
      process.on('${signal}', () => {
        say('${signal}');
        const base = process.env.VITRINE_BASE_URL;
        setTimeout(() => fetch(base + '/v1/users').then(({ status }) => { say(status); process.exit(7); }), 500);
      });
      ${ready}`;

    it.each([
      ['SIGTERM', ''],
      ['SIGINT', ''],
      ['SIGTERM', 'true; exec '],
      ['SIGTERM', 'true && '],
    ] as const)(
      'has time and the portal after %s, and its exit code is kept: "%s…"',
      async (signal, before) => {
        const { portal, pid, closed, output } = await startProgram(slow(signal), before);
        portal.kill(signal);
        expect(await closed).toEqual([7, null]);
        expect(output.text()).toBe(`pid ${pid} ${signal} 401 `);
        expect(isRunning(pid)).toBe(false);
      },
    );

    it('that ends with its shell by the signal gives the status of the signal', async () => {
      const { portal, closed } = await startProgram(ready, 'true; exec ');
      portal.kill('SIGTERM');
      expect(await closed).toEqual([143, null]);
    });

    it('is ended with the shells that started it', async () => {
      const { portal, pid, closed } = await startProgram(ready, '(true; ', '; true); true');
      portal.kill('SIGTERM');
      expect((await closed)[1]).toBe(null);
      expect(isRunning(pid)).toBe(false);
    });

    it('is killed when it ignores the signal', async () => {
      const ignoring = `process.on('SIGTERM', () => say('ignored'));\n${ready}`;
      const { portal, pid, closed, output } = await startProgram(ignoring);
      portal.kill('SIGTERM');
      expect(await closed).toEqual([137, null]);
      expect(output.text()).toContain('ignored');
      // Something still has to collect it.
      await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
    });

    // `script` of util-linux runs a command on a terminal.
    describe.skipIf(process.platform !== 'linux')('on a terminal', () => {
      /** Starts a program on a terminal, and waits until it is ready. */
      const startOnTerminal = async (script: string) => {
        const cwd = await mkdtemp(join(folder, 'terminal-'));
        await writeFile(join(cwd, 'program.cjs'), `${script}\nconsole.log('ready ' + process.pid);`);
        const portal = `exec "${process.execPath}" --conditions=@vitrine/source "${bin}" portal --port auto`;
        const command = `${portal} --run "true && '${process.execPath}' program.cjs"`;
        const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
          cwd,
          stdio: ['pipe', 'pipe', 'ignore'],
        });
        onTestFinished(() => {
          terminal.kill('SIGKILL');
        });
        const output = collector();
        terminal.stdout.pipe(output.stream);
        const closed = once(terminal, 'close');
        await output.contains('ready');
        const pid = Number(/ready (\d+)/.exec(output.text())?.[1]);
        return { output, closed, pid, type: (text: string) => terminal.stdin.write(text) };
      };
      const ctrlC = '\u0003';
      const ignoring = "process.on('SIGINT', () => console.log('INT')); setInterval(() => {}, 1000);";

      it('reads the terminal, and receives one signal for Ctrl-C', async () => {
        const { output, closed, type } = await startOnTerminal(
          `process.on('SIGINT', () => { console.log('INT'); setTimeout(() => process.exit(7), 500); });
          process.on('SIGTERM', () => console.log('TERM'));
          process.stdin.on('data', (text) => console.log('read ' + text));`,
        );
        type('line\n');
        await output.contains('read line');
        type(ctrlC);
        expect(await closed).toEqual([7, null]);
        expect(output.text()).toMatch(/INT\s+$/);
        expect(output.text()).not.toContain('TERM');
      });

      it('is killed after its time when it ignores Ctrl-C, also a second one', async () => {
        const { output, closed, pid, type } = await startOnTerminal(ignoring);
        type(ctrlC);
        await output.contains('INT');
        type(ctrlC);
        expect(await closed).toEqual([137, null]);
        await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
      });
    });
  });

  it('reads a quoted value completely, also over several lines', async () => {
    const key = "MY_KEY='first\nVITRINE_TENANT_ID=9\nlast'";
    await writeFile(
      join(folder, 'lines.env'),
      `${key}\nVITRINE_API_KEY="development-only-one"\nVITRINE_TENANT_ID=9\nPORT=1 # it's mine\n`,
    );
    const portal = start('portal', '--port', 'auto', '--write-env', 'lines.env');
    await portal.stdout.contains('Ctrl-C');
    portal.stop();
    await portal.exitCode;
    const written = await readFile(join(folder, 'lines.env'), 'utf8');
    expect(written.startsWith(`${key}\nVITRINE_API_KEY=development`)).toBe(true);
    expect(written).not.toContain('only-one');
    expect(parseEnv(written)).toMatchObject({ VITRINE_TENANT_ID: '101', PORT: '1' });
  });

  it('does not write a file again that already has the variables: Vite would restart', async () => {
    const write = async () => {
      const portal = start('portal', '--port', `${port}`, '--write-env', 'kept.env');
      await portal.stdout.contains('Ctrl-C');
      portal.stop();
      await portal.exitCode;
      const { ino, mtimeMs } = await stat(join(folder, 'kept.env'));
      return { file: [ino, mtimeMs], output: portal.stderr.text() };
    };
    const port = await freePort();
    const first = await write();
    expect(first.output).toContain('Wrote the variables of acme to kept.env.');
    const second = await write();
    expect(second.file).toEqual(first.file);
    expect(second.output).toContain('kept.env already has the variables of acme.');
  });

  it('writes through a symbolic link and keeps it', async () => {
    await writeFile(join(folder, 'real.env'), 'OTHER=1\n');
    await symlink('real.env', join(folder, 'link.env'));
    const portal = start('portal', '--port', 'auto', '--write-env', 'link.env');
    await portal.stdout.contains('Ctrl-C');
    portal.stop();
    await portal.exitCode;
    expect((await lstat(join(folder, 'link.env'))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(folder, 'real.env'), 'utf8')).toMatch(/^OTHER=1\nVITRINE_TENANT_URL=/);
  });

  it.each([
    ['is a link to a file that does not exist', (file: string) => symlink('nowhere.env', file)],
    ['is not a file', (file: string) => promisify(execFile)('mkfifo', [file])],
    ['is read-only', (file: string) => writeFile(file, 'MINE=1\n', { mode: 0o444 })],
  ])('leaves a file alone that %s', async (what, make) => {
    const file = join(folder, `${what.replaceAll(' ', '-')}.env`);
    await make(file);
    const before = await lstat(file);
    const { exitCode, stderr } = await run('portal', '--port', 'auto', '--write-env', file);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(what)]);
    const { ino, mtimeMs } = await lstat(file);
    expect([ino, mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    await expect(stat(join(folder, 'nowhere.env'))).rejects.toThrow('ENOENT');
  });

  it('writes no $, which frameworks replace, and gives it to a program', async () => {
    await writeFile(
      join(folder, 'dollar.yaml'),
      'tenants:\n  - tenancyName: acme\n    tenantId: 7\n    displayName: Acme\n    passPhrase: "Blue$kyLine#42-long-enough-value"\n',
    );
    const start = ['portal', '--port', 'auto', '--seed', 'dollar.yaml'];
    const { exitCode, stderr } = await run(...start, '--write-env', 'dollar.env');
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('$ in VITRINE_PASSPHRASE of acme: Vite and Next.js replace it in a file'),
    ]);
    expect(stderr).not.toContain('kyLine');
    await expect(stat(join(folder, 'dollar.env'))).rejects.toThrow('ENOENT');
    const command = `"${process.execPath}" -e "process.exit(process.env.VITRINE_PASSPHRASE.includes('kyLine#42') ? 0 : 9)"`;
    expect((await run(...start, '--run', command)).exitCode).toBe(0);
  });

  it('lists the tenants when --tenant matches none, and names the option that --tenant requires', async () => {
    expect(await run('portal', '--port', 'auto', '--write-env', 'x.env', '--tenant', 'acmee')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('acme, globex'),
    });
    expect(await run('portal', '--port', 'auto', '--tenant', 'acme')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('--write-env'),
    });
  });

  it('says that a seed is not applied to a database with tenants, and what to do', async () => {
    await writeFile(
      join(folder, 'other.yaml'),
      'tenants:\n  - tenancyName: other\n    tenantId: 7\n    displayName: Other\n',
    );
    const command = `"${process.execPath}" -e ""`;
    const start = ['portal', '--port', 'auto', '--database', 'kept.db', '--run', command];
    const seeded = await run(...start, '--seed', 'other.yaml', '--tenant', 'other');
    expect([seeded.exitCode, seeded.stderr.includes('--seed was not applied')]).toEqual([0, false]);
    const again = await run(...start, '--seed', 'other.yaml', '--tenant', 'other');
    expect(again.stderr).toContain('--seed was not applied: the database already has tenants.');
    expect(again.stderr).toContain('/_control/reset');
    expect((await run(...start, '--tenant', 'other')).stderr).not.toContain('--seed');
  });

  it('names the line of an error in a seed file', async () => {
    await writeFile(join(folder, 'wrong.yaml'), 'tenants:\n  - tenantId: 1\n    tenancyName: ACME\n');
    const refused = await run('portal', '--port', '0', '--seed', 'wrong.yaml');
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/wrong\.yaml:3: tenants\[0\]\.tenancyName must be a lower-case subdomain/);
  });

  it('resolves relative paths against the folder where npm run was called', async () => {
    const portal = start('portal', '--port', '0');
    const url = /Portal\s+(\S+)/.exec(await portal.stdout.contains('Ctrl-C'))?.[1] ?? '';
    const script = fileURLToPath(new URL('../../scripts/vitrine.ts', import.meta.url));
    const child = spawn(
      process.execPath,
      ['--conditions=@vitrine/source', script, 'portal', 'export', 'callers.yaml', '--url', url],
      { cwd: dirname(script), env: { ...process.env, INIT_CWD: folder }, stdio: 'ignore' },
    );
    expect(await once(child, 'exit')).toEqual([0, null]);
    portal.stop();
    await portal.exitCode;
    expect(await readFile(join(folder, 'callers.yaml'), 'utf8')).toContain('tenancyName: acme');
  });

  it('saves the state of a portal', async () => {
    const portal = start('portal', '--port', '0');
    const url = /Portal\s+(\S+)/.exec(await portal.stdout.contains('Ctrl-C'))?.[1] ?? '';
    const save = (...args: string[]) => run('portal', 'export', '--url', url, ...args);
    expect(await save('saved.yaml')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'Wrote saved.yaml: 2 tenants, no secrets.\n',
    });
    const saved = await readFile(join(folder, 'saved.yaml'), 'utf8');
    expect(saved).toContain('tenancyName: acme');

    const pipe = join(folder, 'pipe.yaml');
    await promisify(execFile)('mkfifo', [pipe]);
    expect(await save('pipe.yaml', '--yes')).toMatchObject({
      exitCode: 1,
      stderr: '"pipe.yaml" is not a file, so it was left alone. Choose another file.\n',
    });
    expect((await lstat(pipe)).isFIFO()).toBe(true);

    await writeFile(join(folder, 'saved.yaml'), 'mine');
    expect(await save('saved.yaml')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('saved.yaml exists. Replace it?'),
    });
    expect(await readFile(join(folder, 'saved.yaml'), 'utf8')).toBe('mine');
    expect(await save('saved.yaml', '--yes')).toMatchObject({ exitCode: 0 });
    expect(await readFile(join(folder, 'saved.yaml'), 'utf8')).toBe(saved);
    expect(await save('nowhere/x.yaml')).toMatchObject({
      exitCode: 1,
      stderr: 'Could not write nowhere/x.yaml: its folder does not exist. Choose another file.\n',
    });
    portal.stop();
    await portal.exitCode;
  });

  it.each([
    [
      'portal --tenant-url-template http://portal.test',
      '--tenant-url-template is "http://portal.test": it must be an origin whose first label is {tenant}, such as http://{tenant}.portal.test:4400.',
    ],
    [
      'portal --public-url foo',
      '--public-url is a text of 3 characters: it must be an origin such as http://portal.test:4400, without a path.',
    ],
    [
      'portal --port auto --write-env nowhere/x.env',
      'Could not write nowhere/x.env: its folder does not exist. Choose another file with --write-env.',
    ],
    [
      'portal --public-url http://user:hidden@portal.test?token=hidden',
      '--public-url is "http://portal.test": it must be an origin',
    ],
    [
      'portal --public-url http://user:p?hidden@portal.test',
      '--public-url is a text of 32 characters: it must be an origin',
    ],
    [
      'portal --public-url hidden0123456789abcdefghi',
      '--public-url is a text of 25 characters: it must be an origin',
    ],
    [
      'portal --port auto --action-target nonsense',
      '--action-target is a text of 8 characters: it must be an http or https address.',
    ],
    [
      'portal --port auto --action-target http://user:hidden@host.test/x',
      '--action-target is "http://host.test/x": it must not contain a user name or password.',
    ],
    [
      'portal --port auto --database nowhere/x.db',
      'nowhere/x.db: unable to open database file. Use a file that a portal created, or a new file in an existing folder; this user must be able to write both.',
    ],
    [
      'portal --database postgres://user:hidden@127.0.0.1:1/x',
      "Could not open the portal's database at 127.0.0.1:1 (ECONNREFUSED). Check that the server is running, and that its user and database exist.",
    ],
    [
      'portal --database postgress://user:hidden@127.0.0.1:1/x',
      "Could not open the portal's database: unable to open database file.",
    ],
    ['portal --port auto --host 256.1.1.1', 'Could not listen on 256.1.1.1, port auto (ENOTFOUND).'],
    ['portal --run=', '--run is empty. Give it a value, or leave it out: --run <command>'],
    ['portal --host=', '--host is empty.'],
    ['portal --database=', '--database is empty.'],
    ['portal --seed text.yaml', 'text.yaml:1: The seed must be an object, not a string'],
    [
      'portal --seed nowhere.yaml',
      ': the file does not exist. `vitrine portal export` writes one from a running portal.',
    ],
    [
      'portal export x.yaml --url http://127.0.0.1:9',
      'No portal responds at http://127.0.0.1:9. Check that it is running',
    ],
  ])('reports errors in terms of the command line: %s', async (line, message) => {
    await writeFile(join(folder, 'text.yaml'), 'words\n');
    const { exitCode, stderr } = await run(...line.split(' '));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(stderr).not.toContain('.tmp');
    expect(stderr).not.toContain('hidden');
  });
});
