/**
 * Writes the fields of `packageMetadata.ts` into every manifest under `src`, after the description, and makes the links of
 * every package's README absolute, because registries show it without the repository. The client's version goes into its code,
 * and the packages' version into the starters of `examples`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { onlineEditorUrl, packageMetadata, repositoryFileUrl } from './packageMetadata.ts';

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

for (const file of globSync('src/*/README.md')) {
  const text = readFileSync(file, 'utf8')
    .replaceAll(
      /\]\((\.{1,2}\/[^)]+)\)/g,
      (_, path: string) => `](${repositoryFileUrl(join(dirname(file), path))})`,
    )
    .replaceAll(/https:\/\/github\.com\/[\w-]+\/vitrine\/blob\/main\//g, repositoryFileUrl(''));
  writeFileSync(file, text);
}

 * every package's README absolute, because registries show it without the repository. The client's version goes into its code,
 * and the packages' version into the starters of `examples`.

function without(fields: Record<string, unknown>, others: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !(field in others)));
}
