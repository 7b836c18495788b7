import { expect, it } from 'vitest';
import { portalModes } from '../support/portalModes.ts';
import { type ModeRow, observeMode, portalModesPage } from '../support/portalModesPage.ts';

it('docs/portal-modes.md shows the result of every mode of the portal', async () => {
  const rows: ModeRow[] = [];
  for (const mode of portalModes) rows.push(await observeMode(mode));
  await expect(portalModesPage(rows)).toMatchFileSnapshot('../../docs/portal-modes.md');
}, 60_000);
