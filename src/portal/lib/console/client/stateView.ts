import { element } from '../../ui/element.ts';
import { ask, type Row, rowsOf, shown } from './ask.ts';
import { confirmed } from './forms.ts';
import type { LiveView } from './logViews.ts';
import { onceAtATime } from './onceAtATime.ts';
import { button, card, hint, input, labeled, row, table, timeField } from './uiParts.ts';

const reload = () => window.location.reload();

const saveFile = (name: string, text: string) => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  element('a', { attributes: { href: url, download: name } }).click();
  URL.revokeObjectURL(url);
};

const restore = (row: Row): void =>
  confirmed('Restore this snapshot? Later changes will be lost.', () =>
    ask('POST', `/snapshots/${shown(row['id'])}/restore`).then(reload),
  );

/** The view of the state: snapshots, export and import, new tenants, reset to the seed. */
export const stateView = (showMessage: (message: string) => void): LiveView => {
  const place = element('div');
  const refresh = onceAtATime(async () => {
    place.replaceChildren(
      table(
        [
          { title: 'Snapshot', read: (row) => shown(row['id']) },
          timeField('Created', 'at'),
          { title: '', read: (row) => button('Restore', () => restore(row)) },
        ],
        rowsOf(await ask('GET', '/snapshots')).toReversed(),
        { label: 'snapshots' },
      ),
    );
  });
  const file = input({ type: 'file', accept: '.json,.yaml,.yml' });
  const importFile = () => {
    const [chosen] = file.files ?? [];
    if (chosen === undefined) {
      showMessage('Choose a file first.');
      return;
    }
    confirmed('Replace all tenants with those in the file?', async () =>
      ask('PUT', '/seed', { text: await chosen.text(), fileName: chosen.name }).then(reload),
    );
  };
  const name = input({ type: 'text', placeholder: 'assigned by the portal' });
  const root = element('div', {
    class: 'stack',
    children: [
      card(
        'Snapshots',
        hint(
          'A snapshot contains the tenants, users, links and audit log, and is kept while the portal runs.',
        ),
        row(button('Take a snapshot', () => void ask('POST', '/snapshots').then(refresh), true)),
        place,
      ),
      card(
        'State as a file',
        hint(
          'A seed in JSON or YAML, without secrets: use it with vitrine portal --seed, or import it here.',
        ),
        row(
          button('Export', () => {
            void ask('GET', '/seed').then((seed) => {
              saveFile('portal.seed.json', JSON.stringify(seed, null, 2));
              return undefined;
            });
          }),
          labeled('File', file),
          button('Import', importFile),
        ),
      ),
      card(
        'Tenants',
        hint('A copy of the first tenant of the seed, with its own keys.'),
        row(
          labeled('Name', name),
          button('New tenant', () => {
            const tenancyName = name.value.trim();
            void ask('POST', '/tenants', tenancyName === '' ? {} : { tenancyName }).then((made) => {
              window.location.hash = `#overview/${shown(made['tenancyName'])}`;
              reload();
              return undefined;
            });
          }),
        ),
      ),
      card(
        'Start over',
        row(
          button('Reset to seed', () =>
            confirmed('Reset all tenants to the seed? Later changes will be lost.', () =>
              ask('POST', '/reset').then(reload),
            ),
          ),
        ),
      ),
    ],
  });
  return { root, refresh };
};
