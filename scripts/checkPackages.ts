/** Checks every package as npm would publish it: contents, size, licenses, publint (strict), are-the-types-wrong. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { findOverwrittenDeclarations, findStaleListings } from './apiListing.ts';
import { findTypeProblems } from './findTypeProblems.ts';
import { findForeignLicenses } from './licenses.ts';
import { findContentProblems, packPackages } from './packContents.ts';
import { findRuntimeDependencies } from './runtimeDependencies.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-packages-'));
const tarballs = new Map(packPackages('.', folder).map((packed) => [packed.name, packed]));
let problems = 0;
const complain = (name: string, text: string) => {
  problems += 1;
  process.stdout.write(`${name}: ${text}\n`);
};

for (const manifestFile of globSync('src/*/package.json')) {
  const pkgDir = dirname(manifestFile);
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));

  const packed = tarballs.get(manifest.name);
  if (packed === undefined) throw new Error(`npm pack wrote nothing for ${manifest.name}`);
  const tarball = readFileSync(join(folder, packed.filename));

  const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
  // Under module: node16, what `require` names are declarations of CommonJS for what Node.js loads all the same.
  for (const message of messages.filter(({ code }) => code !== 'EXPORTS_TYPES_INVALID_FORMAT'))
    complain(manifest.name, `publint: ${formatMessage(message, manifest, { color: false })}`);
  for (const problem of findContentProblems(packed)) complain(manifest.name, problem);
  for (const one of findForeignLicenses(findRuntimeDependencies('package-lock.json', pkgDir)))
    complain(manifest.name, `brings an unlisted license: ${one}`);
  if (manifest.exports === undefined) continue; // a command only: it has no types to check
  for (const problem of await findTypeProblems(tarball, Object.keys(manifest.exports)))
    complain(manifest.name, problem);
}

for (const file of findOverwrittenDeclarations())
  complain(file, 'is newer than the build. Run npm run build.');
for (const file of findStaleListings())
  complain(file, 'the public API changed. Run npm run api, and look at the difference before you commit it.');

rmSync(folder, { recursive: true });
if (problems > 0) process.exitCode = 1;
else process.stdout.write('Every package can be published.\n');
