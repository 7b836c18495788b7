/** Writes the import rules of `importDirections.ts` into `.oxlintrc.json`, which cannot contain code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { lintOverrides } from './importDirections.ts';

interface Override {
  files: string[];
  rules: Record<string, unknown>;
}

const file = '.oxlintrc.json';
const config = JSON.parse(readFileSync(file, 'utf8')) as { overrides: Override[] }; // our own file
const others = config.overrides.filter(({ rules }) => !('no-restricted-imports' in rules));
writeFileSync(
  file,
  `${JSON.stringify({ ...config, overrides: [...others, ...lintOverrides()] }, null, 2)}\n`,
);
