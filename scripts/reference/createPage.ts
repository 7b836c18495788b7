import { createHelp } from '../../src/create-vitrine/lib/runCreate.ts';
import { starters } from '../../src/create-vitrine/lib/starters.ts';
import { tableOf } from './markdown.ts';

/** The options and starters of `npm create vitrine`. */
export const createPage = (): string =>
  [
    '# npm create vitrine',
    'Creates an app that shows a report: see [Five minutes](../guides/start.md). For an existing app, use `vitrine init`.',
    `\`\`\`text\n${createHelp}\`\`\``,
    '## Starters',
    ...tableOf(
      ['`--kind`', 'What it is', 'Address after `npm run dev`'],
      starters.map(({ kind, summary, address }) => [`\`${kind}\``, summary, `\`${address}\``]),
    ),
    '',
  ].join('\n\n');
