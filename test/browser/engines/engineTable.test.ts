import { expect, it } from 'vitest';
import { engineTable } from './engineTable.ts';

it('docs/engines.md says what holds in which engine', async () => {
  await expect(engineTable()).toMatchFileSnapshot('../../../docs/engines.md');
});
