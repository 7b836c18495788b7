import { describe, expect, it } from 'vitest';
import { commandPage } from '../../scripts/reference/commandPage.ts';
import { readablePage } from '../../scripts/reference/readablePage.ts';
import { createProgram } from '../../src/cli/lib/createProgram.ts';
import { systemIo } from '../../src/cli/lib/io.ts';

const program = await createProgram({ io: systemIo(), setExitCode: () => undefined });
type Command = typeof program;

/** Every command below another, with its path. */
const below = (command: Command, path: string): { path: string; command: Command }[] =>
  command.commands
    .filter((child) => !child.name().startsWith('__'))
    .flatMap((child) => {
      const words = `${path} ${child.name()}`;
      return [{ path: words, command: child }, ...below(child, words)];
    });

describe('the generated reference pages', () => {
  it('list every vitrine command with its options', async () => {
    const sections = (await commandPage()).split(/^#+ /m);
    const commands = below(program, 'vitrine');
    expect(commands.length).toBeGreaterThan(40);
    for (const { path, command } of commands) {
      const section = sections.find((text) => text.startsWith(`\`${path}\`\n`)) ?? '';
      expect(section).toContain(`${path} `);
      for (const { flags, hidden } of command.options) if (!hidden) expect(section).toContain(`  ${flags}`);
    }
  });

  it('link to sections of the interface, and name parameters that TypeDoc does not name', () => {
    const text = '| `__namedParameters` | Identity (docs/interface.md#4.6). |';
    expect(readablePage(text, '../../')).toBe(
      '| `options` | Identity ([interface 4.6](../../interface.md#46-create-encrypted-key-embedding)). |',
    );
  });

  it("list exports that another package's page describes", () => {
    const one = (name: string) =>
      `<a id="${name}"></a>\n\n### ${name}\n\nRe-exports [${name}](server.md#${name})\n`;
    expect(readablePage(`## References\n\n${one('a')}\n***\n\n${one('b')}`, '')).toBe(
      '## Described elsewhere\n\nThis entry exports these as well:\n\n- <a id="a"></a>[a](server.md#a)\n- <a id="b"></a>[b](server.md#b)\n',
    );
  });
});
