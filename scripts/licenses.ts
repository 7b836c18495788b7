/** The licenses that a package may bring into a host app: of its dependencies and of the copies inside it. */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';

const accepted = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'CC0-1.0',
  'BlueOak-1.0.0',
]);

/** A component of a bill of materials in the format CycloneDX. */
export interface Component {
  readonly name: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string };
    readonly expression?: string;
  }[];
}

const isAccepted = (license: string): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => accepted.has(one)));

/** The components whose license is not on the list, as `name: license`. */
export const findForeignLicenses = (components: readonly Component[]): string[] =>
  components.flatMap(({ name, licenses = [] }) => {
    const names = licenses.map(({ license, expression }) => license?.id ?? expression ?? 'unknown');
    return names.length > 0 && names.every(isAccepted)
      ? []
      : [`${name}: ${names.join(', ') || 'no license'}`];
  });

/** Everything that the published packages depend on or contain, from the lock file. */
export const findComponents = (): readonly Component[] => {
  const workspaces = globSync('src/*/package.json').flatMap((file) => ['--workspace', dirname(file)]);
  const options = ['--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'peer', ...workspaces];
  const bill = execFileSync('npm', ['sbom', ...options], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  return JSON.parse(bill).components;
};
