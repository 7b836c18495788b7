/**
 * Releases every package with one version. A dry run by default: in a copy of the repository it installs, applies the
 * changesets, builds, verifies, packs, checks contents and licenses, and writes a bill of materials for each package.
 * `--publish` does the same in place, commits and pushes the version, and publishes with provenance, which needs a CI
 * job with an identity token. A repeated run publishes the packages that a failed run left unpublished. The "Release"
 * workflow then tags the version. `--skip-verify` skips `npm run verify`, to try the rest.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { billOfMaterials } from './billOfMaterials.ts';
import { findForeignLicenses } from './licenses.ts';
import { findContentProblems, packPackages } from './packContents.ts';
import { findRuntimeDependencies } from './runtimeDependencies.ts';

const known = new Set(['--publish', '--skip-verify']);
const options = process.argv.slice(2);
const unknown = options.filter((option) => !known.has(option));
const publishes = options.includes('--publish');

const say = (line: string) => process.stdout.write(`${line}\n`);
const fail = (lines: readonly string[]): never => {
  for (const line of lines) process.stderr.write(`${line}\n`);
  return process.exit(1);
};
if (options.includes('--help')) {
  say('npm run release                      rehearse a release; nothing is published');
  say('npm run release -- --skip-verify     the same without the tests');
  say('npm run release -- --publish         publish: the "Release" workflow does this');
  process.exit(0);
}
if (unknown.length > 0) fail([`Unknown option ${unknown.join(', ')}. Options: ${[...known].join(', ')}.`]);

const hasChanges = globSync('.changeset/*.md').length >= 2;
if (!hasChanges && !publishes) fail(['Nothing to release: .changeset contains only its README.']);

// `npm run` sets it to this repository; npm must also work in the copy.
delete process.env['npm_config_local_prefix'];

const output = resolve('.vitrine/release');
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });

/** Copies the work tree without ignored files, so that a dry run changes nothing here. */
const copyRepository = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'vitrine-release-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
    .split('\0')
    .filter(Boolean);
  for (const file of files) cpSync(file, join(copy, file), { recursive: true });
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: copy });
  return copy;
};

const root = publishes ? process.cwd() : copyRepository();
const run = (command: string, ...args: string[]): void => {
  say(`> ${command} ${args.join(' ')}`);
  execFileSync(command, args, { cwd: root, stdio: 'inherit' });
};

if (publishes && process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] === undefined)
  fail([
    'Cannot publish: no identity token for provenance.',
    'Run the "Release" workflow, or leave out --publish for a dry run.',
  ]);

if (!publishes) run('npm', 'ci');
if (hasChanges) {
  run('npx', 'changeset', 'version');
  run('node', 'scripts/writePackageMetadata.ts');
  run('npm', 'install', '--package-lock-only');
}
const { version } = JSON.parse(readFileSync(join(root, 'src/react/package.json'), 'utf8')) as {
  version: string;
};
if (hasChanges) {
  const author = ['-c', 'user.name=Vitrine releases', '-c', 'user.email=releases@vitrine.invalid'];
  run('git', 'add', '--all');
  run('git', ...author, 'commit', '--quiet', '--message', `chore(release): release ${version}`);
}
run('npm', 'run', '--silent', options.includes('--skip-verify') ? 'build' : 'verify');

const tarballs = new Map(packPackages(root, output).map((packed) => [packed.name, packed]));
const packages = globSync('src/*/package.json', { cwd: root }).map((file) => {
  const { name } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { name: string };
  const packed = tarballs.get(name);
  if (packed === undefined) throw new Error(`npm pack wrote nothing for ${name}`);
  return { packed, dependencies: findRuntimeDependencies(join(root, 'package-lock.json'), dirname(file)) };
});
const problems = packages.flatMap(({ packed, dependencies }) =>
  [
    ...findContentProblems(packed),
    ...findForeignLicenses(dependencies).map((one) => `brings an unlisted license: ${one}`),
  ].map((problem) => `${packed.name} ${problem}`),
);
if (problems.length > 0) fail(['Not released:', ...problems]);

for (const { packed, dependencies } of packages) {
  const { name, filename, size, files } = packed;
  const bill = JSON.stringify(billOfMaterials(dependencies), null, 2);
  writeFileSync(join(output, filename.replace(/\.tgz$/, '.cdx.json')), bill);
  say(`${name} ${version}: ${files.length} files, ${(size / 1024).toFixed(0)} KiB`);
}

// One version for all packages: one tag, which the workflow creates.
if (publishes) {
  // Push before publishing: if main has moved, the sources of this version would be missing.
  run('git', 'push', 'origin', 'HEAD:main');
  process.env['NPM_CONFIG_PROVENANCE'] = 'true';
  run('npx', 'changeset', 'publish', '--no-git-tag');
} else {
  rmSync(root, { recursive: true });
  say(`Dry run: nothing was published. The tarballs and bills of materials are in ${output}.`);
}
