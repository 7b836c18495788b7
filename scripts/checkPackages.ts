/** Checks every package as npm would publish it: contents, size, licences, publint (strict), are-the-types-wrong. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { findStaleReports } from './apiReport.ts';
import { findForeignLicenses } from './licenses.ts';
import { findContentProblems, packPackage } from './packContents.ts';
import { findRuntimeDependencies } from './runtimeDependencies.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-packages-'));
const attw = resolve('node_modules/.bin/attw');
let problems = 0;
const complain = (name: string, text: string) => {
  problems += 1;
  process.stdout.write(`${name}: ${text}\n`);
};

for (const manifestFile of globSync('src/*/package.json')) {
  const pkgDir = dirname(manifestFile);
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));

  const { messages } = await publint({ pkgDir, strict: true });
  for (const message of messages)
    complain(manifest.name, `publint: ${formatMessage(message, manifest, { color: false })}`);

  const packed = packPackage(pkgDir, folder);
  for (const problem of findContentProblems(packed)) complain(manifest.name, problem);
  for (const one of findForeignLicenses(findRuntimeDependencies('package-lock.json', pkgDir)))
    complain(manifest.name, `brings an unlisted licence: ${one}`);
  if (manifest.exports === undefined) continue; // a command only: it has no types to check
  const styles = Object.keys(manifest.exports).filter((entry) => entry.endsWith('.css'));
  const exclude = styles.length === 0 ? [] : ['--exclude-entrypoints', ...styles];
  const args = [
    join(folder, packed.filename),
    '--profile',
    'esm-only',
    // The types of the `require` conditions are CommonJS declarations of ES modules, which Node.js loads anyway.
    '--ignore-rules',
    'false-cjs',
    '--no-color',
    '--no-emoji',
    ...exclude,
  ];
  const { status, stdout, stderr } = spawnSync(attw, args, { encoding: 'utf8' });
  if (status !== 0) complain(manifest.name, `are-the-types-wrong:\n${stdout}${stderr}`);
}

for (const file of findStaleReports())
  complain(file, 'the public API changed. Run npm run api, and look at the difference before you commit it.');

rmSync(folder, { recursive: true });
if (problems > 0) process.exitCode = 1;
else process.stdout.write('Every package can be published.\n');
