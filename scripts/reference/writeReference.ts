import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import { commandPage } from './commandPage.ts';
import { readablePage } from './readablePage.ts';
import { referenceEntries } from './referenceEntries.ts';

// TypeDoc reads typedoc.json and resolves its plugin from the working directory.
process.chdir(import.meta.dirname);
const root = fileURLToPath(new URL('../../', import.meta.url));
const target = join(root, 'docs/reference');
const work = join(root, 'docs', `.reference-${process.pid}`);
const written = join(work, 'written');

/** TypeDoc names a module after its file: each entry point gets a file with its import specifier. */
const writeEntry = ({ name, source }: (typeof referenceEntries)[number]): string => {
  const file = join(work, `${name.replaceAll('/', '-')}.ts`);
  writeFileSync(file, `/** @module ${name} */\nexport * from '../../${source}';\n`);
  return file;
};

mkdirSync(work);
writeFileSync(
  join(work, 'tsconfig.json'),
  JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts', '../../src/*/lib/**/*'] }),
);
const application = await Application.bootstrapWithPlugins({
  entryPoints: referenceEntries.map(writeEntry),
  tsconfig: join(work, 'tsconfig.json'),
  out: written,
});
const project = await application.convert();
if (project === undefined) throw new Error('TypeDoc could not read the packages. Its messages are above.');
await application.generateOutputs(project);
for (const file of globSync('**/*.md', { cwd: written })) {
  const up = '../'.repeat(file.split(/[\\/]/).length);
  writeFileSync(join(written, file), readablePage(readFileSync(join(written, file), 'utf8'), up));
}
writeFileSync(join(written, 'vitrine.md'), await commandPage());
rmSync(target, { recursive: true, force: true });
renameSync(written, target);
rmSync(work, { recursive: true });
