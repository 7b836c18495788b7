import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { portalModes } from '../support/portalModes.ts';
import { type ModeRow, observeMode, portalModesPage } from '../support/portalModesPage.ts';

const page = new URL('../../docs/portal-modes.md', import.meta.url);
const isWriting = process.env['VITRINE_WRITE_DOCS'] === '1';
const written = isWriting ? '' : readFileSync(page, 'utf8');
const rows: ModeRow[] = [];
afterAll(() => {
  if (isWriting) writeFileSync(page, portalModesPage(rows));
});

describe('docs/portal-modes.md shows the result when the portal', () => {
  it.each(portalModes)('$name', async (mode) => {
    const row = await observeMode(mode);
    rows.push(row);
    const line = portalModesPage([row]).split('\n').at(-2);
    const shown = written.split('\n').find((one) => one.startsWith(`| ${mode.name} |`));
    expect(isWriting ? line : shown).toBe(line);
  });

  it.skipIf(isWriting)('has no other mode', () => {
    expect(written).toBe(portalModesPage(rows));
  });
});
