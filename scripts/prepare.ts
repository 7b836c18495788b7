/** Ensures that the tests have a Chromium, and reports other missing engines. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { debianPackages, findMissingEngines } from '../test/support/engines/findEngines.ts';
import { findBrowser, findHeadlessShell } from './findBrowser.ts';
import { ensureBrowser, ensureHeadlessShell, type InstallEdges } from './installBrowser.ts';

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.stdout.write('0 passed, 1 failed, 0 skipped\n');
  process.exit(1);
};

const edges: Omit<InstallEdges, 'find'> = {
  run: ({ command: [program, ...args], timeoutMs }) =>
    spawnSync(program, args, {
      stdio: 'ignore',
      timeout: timeoutMs,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0,
  say: (line) => process.stdout.write(`${line}\n`),
  mayUseApt: process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'),
};

/** Version of Debian's package; undefined where the browser comes from elsewhere. */
const debianVersion = (): string | undefined => {
  const { status, stdout } = spawnSync('dpkg-query', ['-W', '-f=${Version}', 'chromium'], {
    encoding: 'utf8',
  });
  return status === 0 && stdout !== '' ? stdout : undefined;
};

try {
  const browser = ensureBrowser({ ...edges, find: () => findBrowser() });
  if (browser === undefined)
    fail(
      'The tests need a Chromium, and installing one failed. Install it (Debian: `apt install chromium`), or set CHROMIUM_PATH.',
    );
  ensureHeadlessShell(
    { ...edges, find: () => findHeadlessShell() ?? process.env['CHROMIUM_PATH'] },
    debianVersion(),
  );
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

for (const name of findMissingEngines())
  process.stdout.write(
    `This machine has no ${name}: its tests are skipped. On Debian: apt install ${debianPackages[name]}\n`,
  );
