/**
 * Ensures that the tests have a Chromium: Playwright's where its download works, else Debian's package. Reports other
 * missing browsers.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { debianPackages, findMissingEngines } from '../test/support/engines/findEngines.ts';
import { findBrowser } from './findBrowser.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const installers = [
  { title: "Playwright's download", command: 'npx playwright install chromium', isUsable: true },
  {
    title: "Debian's package",
    command:
      'apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium chromium-headless-shell',
    isUsable: process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'),
  },
];

try {
  for (const { title, command } of installers.filter(({ isUsable }) => isUsable)) {
    if (findBrowser() !== undefined) break;
    say(`No Chromium on this machine; trying ${title} ...`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync(command, { shell: true, stdio: 'ignore', timeout: 5 * 60_000, env });
  }
  if (findBrowser() === undefined)
    throw new Error(
      'The tests need a Chromium, and installing one failed. Install it (Debian: `apt install chromium`), or set CHROMIUM_PATH.',
    );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  say('0 passed, 1 failed, 0 skipped');
  process.exit(1);
}

for (const name of findMissingEngines())
  say(`This machine has no ${name}: its tests are skipped. On Debian: apt install ${debianPackages[name]}`);

/** Programs that a few tests start. */
for (const [program, name] of Object.entries({
  nginx: 'nginx',
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
}))
  if (spawnSync(program, ['--version']).error)
    say(`This machine has no ${program}: its tests are skipped. On Debian: apt install ${name}`);

/** Databases, and the variable that says where one is. */
for (const [variable, usual] of Object.entries({
  VITRINE_TEST_POSTGRES: 'postgres://127.0.0.1:5432',
  VITRINE_TEST_REDIS: 'redis://127.0.0.1:6379',
})) {
  const { hostname, port, protocol } = new URL(process.env[variable] ?? usual);
  const socket = connect({ host: hostname, port: Number(port || new URL(usual).port), timeout: 2000 });
  socket.once('connect', () => socket.destroy());
  const isMissing = () => {
    socket.destroy();
    say(
      `No ${protocol.slice(0, -1)} at ${hostname}: its tests are skipped. ${variable} may name another one.`,
    );
  };
  socket.once('error', isMissing);
  socket.once('timeout', isMissing);
}
