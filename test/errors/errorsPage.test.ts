import { documentationUrl } from '@vitrine/contract';
import { expect, it } from 'vitest';
import { repositoryFileUrl } from '../../scripts/packageMetadata.ts';
import { errorAdvice } from '../../src/react/lib/development/errorAdvice.ts';
import { errorsPage } from '../support/errorsPage.ts';

it('docs/errors.md matches the tables in the code', async () => {
  await expect(errorsPage()).toMatchFileSnapshot('../../docs/errors.md');
});

it('docs/errors.md has an anchor for every code', () => {
  const anchors = [...errorsPage().matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id);
  const codes = new Set([...Object.keys(errorAdvice), 'http_status']);
  expect(new Set(anchors)).toEqual(codes);
});

it('links to the pages use the repository URL of the packages', () => {
  expect(documentationUrl).toBe(repositoryFileUrl('docs'));
});
