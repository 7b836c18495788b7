import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const asImport = `with: { 'resolution-mode': 'import' }`;
const isClass = (value: unknown): boolean => typeof value === 'function' && String(value).startsWith('class');

/**
 * Text of a declaration file through which CommonJS modules under `module: node16` see an entry. In Node.js they can
 * `require` the entry itself; under that option, TypeScript rejects declarations of ES modules.
 */
export const commonJsTypes = (specifier: string, values: Readonly<Record<string, unknown>>): string => {
  const type = `import('${specifier}', { ${asImport} })`;
  const lines = Object.entries(values).flatMap(([name, value]) => [
    `export declare const ${name}: (typeof ${type})['${name}'];`,
    ...(isClass(value) ? [`export type ${name} = ${type}.${name};`] : []),
  ]);
  return [`export type * from '${specifier}' ${asImport.replace(':', '')};`, ...lines, ''].join('\n');
};

interface Entry {
  readonly require?: { readonly types: string };
}

/** Writes the declarations that the `require` conditions of a built package name. */
export const writeCommonJsTypes = async (folder: string): Promise<void> => {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports?: Readonly<Record<string, Entry>>; // npm's format
  };
  for (const { require } of Object.values(exports ?? {})) {
    if (require === undefined) continue;
    for (const script of globSync(require.types.replace(/\.d\.cts$/, '.js'), { cwd: folder })) {
      const file = resolve(folder, script);
      writeFileSync(
        file.replace(/\.js$/, '.d.cts'),
        commonJsTypes(`./${basename(file)}`, await import(file)),
      );
    }
  }
};
