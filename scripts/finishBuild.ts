/**
 * Completes the build after Vite and tsc: contract declarations inside `react`, style sheets, the portal's browser
 * bundles, starters, the executable bit.
 */
import { chmodSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { bundleBrowserFiles } from '../src/portal/lib/assets/bundleBrowserFiles.ts';
import { writeCommonJsTypes } from './commonJsTypes.ts';
import { copyStarters } from './copyStarters.ts';

const rewrite = (file: string, edit: (text: string) => string) =>
  writeFileSync(file, edit(readFileSync(file, 'utf8')));

for (const file of globSync('src/*/dist/**/*.d.ts'))
  rewrite(file, (text) => text.replaceAll(/(from |import\()(['"])(\.{1,2}\/[^'"]+)\.tsx?\2/g, '$1$2$3.js$2'));

const react = 'src/react/dist';
cpSync('src/contract/dist', join(react, 'contract'), {
  recursive: true,
  filter: (source) => !source.includes('schema') && (!/\.[a-z]+$/.test(source) || source.endsWith('.d.ts')),
});
for (const file of globSync(`${react}/**/*.d.ts`)) {
  const contract = relative(dirname(file), join(react, 'contract/index.js'));
  const specifier = contract.startsWith('.') ? contract : `./${contract}`;
  rewrite(file, (text) => text.replaceAll(/(['"])@vitrine\/contract\1/g, `'${specifier}'`));
}

// The source maps of the contract refer to files that this package does not ship.
for (const file of globSync(`${react}/contract/**/*.d.ts`))
  rewrite(file, (text) => text.replace(/\/\/# sourceMappingURL=.*\s*$/, ''));

for (const sheet of globSync('src/react/lib/**/*.css')) cpSync(sheet, sheet.replace('/lib/', '/dist/'));
// TypeScript 6 and later require a declaration for a style sheet; every kind of module may import this one.
writeFileSync(join(react, 'styles.d.cts'), 'export {};\n');
for (const manifest of globSync('src/*/package.json')) await writeCommonJsTypes(dirname(manifest));
// Browsers load bundles: hosts do not need the declarations of their sources.
for (const folder of ['report/client', 'console/client', 'openapi/client', 'ui'])
  rmSync(`src/portal/dist/${folder}`, { recursive: true, force: true });
bundleBrowserFiles(resolve('src/portal/dist/browser'));
copyStarters('src/create-vitrine/dist/starters');
for (const name of ['cli', 'create-vitrine']) chmodSync(`src/${name}/dist/bin.js`, 0o755);
