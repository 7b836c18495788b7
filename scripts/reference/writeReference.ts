import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import { commandPage } from './commandPage.ts';
import { readablePage } from './readablePage.ts';
import { referenceEntries } from './referenceEntries.ts';

// TypeDoc resolves its plugin from the working directory.
process.chdir(import.meta.dirname);
const root = fileURLToPath(new URL('../../', import.meta.url));
const target = join(root, 'docs/reference');
const work = join(root, 'docs', `.reference-${process.pid}`);
const written = join(work, 'written');

/** Options of typedoc-plugin-markdown. */
const markdownOptions = {
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  // Names of functions and types may differ only in case, so headings are not unique anchors.
  useHTMLAnchors: true,
  tableColumnSettings: {
    hideModifiers: true,
    hideDefaults: true,
    hideInherited: true,
    hideOverrides: true,
    leftAlignHeaders: true,
  },
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  propertyMembersFormat: 'table',
  typeDeclarationFormat: 'table',
};

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
  plugin: ['typedoc-plugin-markdown'],
  out: written,
  readme: 'none',
  router: 'module',
  groupOrder: ['Functions', 'Variables', '*'],
  // The workspace checks types separately, with a newer TypeScript.
  skipErrorChecking: true,
  disableSources: true,
  excludeInternal: true,
  excludeExternals: true,
  validation: false,
  logLevel: 'Warn',
  ...markdownOptions,
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
