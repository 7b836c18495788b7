import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeBlocks } from '../packages/harness/codeBlocks.ts';

/** Guides that show a starter, and its files in their order. */
const guides = [
  {
    guide: 'start.md',
    starter: 'vite-express',
    files: ['server/vitrine.ts', 'server/index.ts', 'vite.config.ts', 'src/main.tsx'],
  },
  { guide: 'hono.md', starter: 'hono', files: ['server/vitrine.ts', 'server/index.ts'] },
];

describe.each(guides)('docs/guides/$guide', ({ guide, starter, files }) => {
  it.each(files)(`shows %s of the starter ${starter}`, (file) => {
    const block = codeBlocks(`docs/guides/${guide}`).find((one) => one.file === file);
    expect(block?.code).toBe(`// ${file}\n${readFileSync(`examples/${starter}/${file}`, 'utf8')}`);
  });
});

it.each(['vite-express', 'hono'])('the README signs in like the starter %s', (starter) => {
  const [readme = '', code = ''] = ['README.md', `examples/${starter}/server/vitrine.ts`].map((file) =>
    readFileSync(file, 'utf8'),
  );
  const shared = [/\/.*\.test\(process.*?\?\? ''\)/, /\{ userId: .* \}/, /itemId === \d+/].map(
    (part) => part.exec(code)?.[0] ?? starter,
  );
  expect(shared.filter((part) => !readme.includes(part))).toEqual([]);
});
