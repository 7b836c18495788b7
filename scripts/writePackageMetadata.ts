/**
 * Writes the fields of `packageMetadata.ts` into every manifest under `src`, after the keywords, and makes the links of
 * every package's README absolute, because registries show it without the repository. The client's version goes into its code,
 * and the packages' version into the starters of `examples`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { onlineEditorUrl, packageMetadata, repositoryFileUrl } from './packageMetadata.ts';

for (const file of globSync('src/*/package.json')) {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>; // our own file
  if (manifest['private'] === true) continue;
  const { name, version, description, keywords, ...rest } = manifest;
  const metadata = packageMetadata(basename(dirname(file)));
  writeFileSync(
    file,
    `${JSON.stringify({ name, version, description, keywords, ...metadata, ...without(rest, metadata) }, null, 2)}\n`,
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

const userAgent = 'src/portal-client/lib/http/userAgent.ts';
const client = JSON.parse(readFileSync('src/portal-client/package.json', 'utf8')) as { version: string }; // our own file
writeFileSync(userAgent, readFileSync(userAgent, 'utf8').replace(/\d+\.\d+\.[^']+/, client.version));

for (const file of globSync('examples/*/package.json')) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replaceAll(/("(?:@vitrine\/[a-z-]+|vitrine)": )"\^[^"]+"/g, `$1"^${client.version}"`),
  );
}

const examples = readFileSync('examples/README.md', 'utf8');
writeFileSync(
  'examples/README.md',
  examples.replaceAll(
    /https:\/\/stackblitz\.com\/github\/[\w-]+\/vitrine\/tree\/main\/([\w/-]+)/g,
    (_, folder: string) => onlineEditorUrl(folder),
  ),
);

function without(fields: Record<string, unknown>, others: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !(field in others)));
}
