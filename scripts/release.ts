/**
 * Releases every package with one version. A dry run by default: it applies the changesets in a copy of the
 * repository, builds, verifies, packs, checks contents and licences, and writes a bill of materials for each package.
 * `--publish` does the same in place and then publishes with provenance, which needs a CI job with an identity token.
 * `--skip-verify` leaves out `npm run verify`, for trying the rest.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { findForeignLicenses } from './licenses.ts';
import { findContentProblems, packPackage } from './packContents.ts';

const known = new Set(['--publish', '--skip-verify']);
const options = process.argv.slice(2);
const unknown = options.filter((option) => !known.has(option));
const publishes = options.includes('--publish');

const say = (line: string) => process.stdout.write(`${line}\n`);
const fail = (lines: readonly string[]): never => {
  for (const line of lines) process.stderr.write(`${line}\n`);
  return process.exit(1);
};
if (unknown.length > 0) fail([`Unknown option ${unknown.join(', ')}. Options: ${[...known].join(', ')}.`]);

const output = resolve('.vitrine/release');
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });

/** A copy of the work tree without ignored files, so that a dry run changes nothing here. */
const copyRepository = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'vitrine-release-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
    .split('\0')
    .filter(Boolean);
  for (const file of files) cpSync(file, join(copy, file), { recursive: true });
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: copy });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  return copy;
};

const root = publishes ? process.cwd() : copyRepository();
const run = (command: string, ...args: string[]): void => {
  say(`> ${command} ${args.join(' ')}`);
  execFileSync(command, args, { cwd: root, stdio: 'inherit' });
};

if (publishes && process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] === undefined)
  fail([
    'Cannot publish: there is no identity token for provenance here.',
    'Run the "Release" workflow, or leave out --publish for a dry run.',
  ]);

run('npx', 'changeset', 'version');
// The build runs here in both cases: a dry run changes versions only in its copy, and code not at all.
execFileSync('npm', ['run', '--silent', options.includes('--skip-verify') ? 'build' : 'verify'], {
  stdio: 'inherit',
});
if (!publishes)
  for (const folder of globSync('src/*/dist')) cpSync(folder, join(root, folder), { recursive: true });

const folders = globSync('src/*/package.json', { cwd: root }).map(dirname);
const packed = folders.map((folder) => packPackage(join(root, folder), output));
const problems = [
  ...packed.flatMap((one) => findContentProblems(one).map((problem) => `${one.name} ${problem}`)),
  ...findForeignLicenses('package-lock.json').map(
    (one) => `A runtime dependency has an unlisted licence: ${one}`,
  ),
];
if (problems.length > 0) fail(['Not released:', ...problems]);

for (const { name, version, size, files } of packed) {
  const bill = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev', `--workspace=${name}`], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  writeFileSync(join(output, `${name.replace('@', '').replace('/', '-')}-${version}.cdx.json`), bill);
  say(`${name} ${version}: ${files.length} files, ${(size / 1024).toFixed(0)} KiB`);
}

if (publishes) run('npx', 'changeset', 'publish', '--provenance');
else {
  rmSync(root, { recursive: true });
  say(`Dry run: nothing was published. The tarballs and bills of materials are in ${output}.`);
}
