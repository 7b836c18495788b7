/** Checks every package as npm would publish it: contents, size, licenses, publint, are-the-types-wrong, API listing. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findStaleListings } from './apiListing.ts';
import { findComponents, findForeignLicenses } from './licenses.ts';
import { findContentProblems, packPackages } from './packContents.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-packages-'));
const tarballs = new Map(packPackages('.', folder).map((packed) => [packed.name, packed]));
let problems = 0;
const complain = (name: string, text: string) => {
  problems += 1;
  process.stdout.write(`${name}: ${text}\n`);
};

for (const manifestFile of globSync('src/*/package.json')) {
  const { name, exports } = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const packed = tarballs.get(name);
  if (packed === undefined) throw new Error(`npm pack wrote nothing for ${name}`);
  for (const problem of findContentProblems(packed)) complain(name, problem);

  const tarball = join(folder, packed.filename);
  const commands = [['publint', 'run', tarball, '--strict'], ...(exports ? [['attw', tarball]] : [])];
  for (const [command = '', ...args] of commands) {
    const { status, stdout, stderr } = spawnSync('npx', [command, ...args], { encoding: 'utf8' });
    if (status !== 0) complain(name, `${command}:\n${stdout}${stderr}`);
  }
}

for (const one of findForeignLicenses(findComponents()))
  complain(one, 'the license is not on the list of scripts/licenses.ts.');
for (const file of findStaleListings())
  complain(file, 'the public API changed. Run npm run api, and look at the difference before you commit it.');

rmSync(folder, { recursive: true });
if (problems > 0) process.exitCode = 1;
else process.stdout.write('Every package can be published.\n');
