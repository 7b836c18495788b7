import type { Link } from '@vitrine/portal-client';
import { addPortalOptions } from '../input/withClient.ts';
import { formatValue } from '../output/formatValue.ts';
import { shortTime } from '../output/shortTime.ts';
import { addListAndGet, field } from './addListAndGet.ts';
import { readItemNames } from './readNames.ts';
import type { RegisterCommand } from './registerCommands.ts';

/** `vitrine links`: the links of the tenant. */
export const registerLinks: RegisterCommand = (program, context) => {
  const family = addPortalOptions(
    program.command('links').description('List active Report Keys and Slideshow links. (Read-only.)'),
    { isReading: true },
  );
  addListAndGet<Link>(family, context, {
    noun: 'link',
    family: 'links',
    exampleId: '1',
    list: (client, signal) => client.links.list({ signal }),
    names: (link) => [link.id, link.name],
    columns: async (client, run) => {
      const itemName = run.out.format === 'table' ? await readItemNames(client, run) : String;
      return [
        field<Link>('id', 'ID', { minWidth: 4 }),
        field<Link>('kind', 'KIND', { minWidth: 9 }),
        field<Link>('name', 'NAME', { minWidth: 12 }),
        {
          name: 'reportId',
          title: 'REPORT',
          value: ({ reportId }) => formatValue(reportId && itemName(reportId)),
          minWidth: 12,
        },
        {
          name: 'expiresAt',
          title: 'EXPIRES',
          value: ({ expiresAt }) => shortTime(expiresAt ?? undefined),
          keepsWidth: true,
        },
      ];
    },
  });
};
