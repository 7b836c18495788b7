import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { starterFiles } from '../../scripts/writeStarterFiles.ts';

it.each(starterFiles)('%s has the text of the starters (npm run format writes it)', (file, text) => {
  expect(readFileSync(file, 'utf8')).toBe(text);
});
