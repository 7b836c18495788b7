/** Writes the fields of `packageMetadata.ts` into every manifest under `src`, after the description. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { packageMetadata } from './packageMetadata.ts';

for (const file of globSync('src/*/package.json')) {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>; // our own file
  if (manifest['private'] === true) continue;
  const { name, version, description, ...rest } = manifest;
  const metadata = packageMetadata(basename(dirname(file)));
  writeFileSync(
    file,
    `${JSON.stringify({ name, version, description, ...metadata, ...without(rest, metadata) }, null, 2)}\n`,
  );
}

function without(fields: Record<string, unknown>, others: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !(field in others)));
}
