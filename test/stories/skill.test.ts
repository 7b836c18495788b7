import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const file = 'src/cli/skills/vitrine/SKILL.md';
const skill = readFileSync(file, 'utf8');
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/npx vitrine ([a-z]+)/g)].map(([, name = '']) => name);

it('the setup skill is in the package, with a name and a description', () => {
  const { files } = JSON.parse(readFileSync('src/cli/package.json', 'utf8'));
  expect(files).toContain('skills');
  expect(skill).toMatch(/^---\nname: vitrine\ndescription: .{50,}\n---\n/);
});

it('the setup skill names commands that the page about the command line explains', () => {
  const guide = readFileSync('docs/guides/cli.md', 'utf8') + readFileSync('src/cli/README.md', 'utf8');
  const unknown = (text: string) => commandsIn(text).filter((name) => !guide.includes(`vitrine ${name}`));
  expect(commandsIn(skill).length).toBeGreaterThan(2);
  expect(unknown(skill)).toEqual([]);
  expect(unknown('npx vitrine teleport')).toEqual(['teleport']); // control
});
