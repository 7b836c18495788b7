/** The licenses that a package may bring into a host app with its runtime dependencies. */
import type { RuntimeDependency } from './runtimeDependencies.ts';

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

const isAccepted = (license: string | undefined): boolean =>
  license !== undefined &&
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => accepted.has(one)));

/** The dependencies whose license is not on the list, as `name: license`. */
export const findForeignLicenses = (dependencies: readonly RuntimeDependency[]): string[] =>
  dependencies
    .filter(({ license }) => !isAccepted(license))
    .map(({ name, license = 'no license' }) => `${name}: ${license}`);
