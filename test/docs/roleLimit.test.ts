import { readFileSync } from 'node:fs';
import { maxRlsRoles } from '@vitrine/contract/service';
import { expect, it } from 'vitest';

it.each([
  'docs/gaps.md',
  'docs/guides/key-endpoint.md',
  'docs/guides/row-level-security.md',
  'src/server/lib/viewer.ts',
])('%s names the limit of RLS roles', (file) => {
  const text = readFileSync(file, 'utf8').replaceAll(/\s*\n\s*\*?\s*/g, ' ');
  const [, number] =
    /(?:at most|over|more than) (\d+) roles|RLS role codes of the session: at most (\d+)/i
      .exec(text)
      ?.filter(Boolean) ?? [];
  expect(Number(number)).toBe(maxRlsRoles);
});
