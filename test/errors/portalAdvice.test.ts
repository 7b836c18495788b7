import { createPortal, type Portal } from '@vitrine/portal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ModeConnection } from '../support/portalModes.ts';
import { observeMode } from '../support/portalModesPage.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await createPortal();
});
afterAll(() => portal.close());

/** The hint in the log for one wrong value. */
const adviceFor = ({ itemId = 1042, ...change }: Partial<ModeConnection> & { itemId?: number }) =>
  observeMode({
    name: 'the development portal',
    start: () => {
      const [tenant] = portal.tenants;
      if (tenant === undefined) throw new Error('The portal has no tenant.');
      const { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase } = tenant;
      const connection = { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase, ...change };
      return Promise.resolve({
        connection,
        itemId,
        upstream: { retry: false },
        close: () => Promise.resolve(),
      });
    },
  });

it.each([
  ['API key', { apiKey: 'not-a-key-of-this-portal' }, /^Check apiKey/],
  ['tenant ID', { tenantId: 99 }, /^Check apiKey .* tenant of tenantId/],
  ['passphrase', { passPhrase: 'Xq82-Lw0x-Zn47' }, /^Copy the passphrase/],
  ['tenancy name', { tenancyName: 'elsewhere' }, /^Compare tenancyName/],
  ['item ID', { itemId: 9999 }, /^Check the item ID/],
])(
  'the log says what to correct when the development portal gets a wrong %s',
  async (_what, change, hint) => {
    expect((await adviceFor(change)).hint).toMatch(hint);
  },
);

it('control: the right values need no advice', async () => {
  expect(await adviceFor({})).toMatchObject({ answer: '200', hint: '' });
});
