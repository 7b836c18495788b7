import { type EngineName, engineNames } from '../../support/engines/engine.ts';
import { checks, settingsChecks } from './checks/checks.ts';
import { type Exception, exceptions, findException } from './exceptions.ts';

/** The browser versions of the last review of this table. */
const engineTitles: Readonly<Record<EngineName, string>> = {
  chromium: 'Chromium 156',
  firefox: 'Firefox ESR 153',
  webkit: 'WebKitGTK 2.50',
};

const cellOf = (exception: Exception | undefined): string => {
  if (!exception) return 'yes';
  return `${exception.kind === 'fault' ? 'no' : 'not supported'} [${exceptions.indexOf(exception) + 1}]`;
};

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The page of the manual with the results for each browser engine. The tests prove every cell. */
export const engineTable = (): string => {
  const all = Object.entries({ ...checks, ...settingsChecks }).filter(([, { isControl }]) => !isControl);
  const lines = [
    '# Browser engines',
    '',
    'The tests run in three browser engines, all from Debian. WebKitGTK shares its engine with Safari, but is not Safari.',
    'A test proves every cell.',
    '',
    rowOf(['A report …', ...engineNames.map((name) => engineTitles[name])]),
    rowOf(['---', ...engineNames.map(() => '---')]),
    ...all.map(([id, { title }]) =>
      rowOf([
        title.replaceAll(/<\w+>/g, '`$&`'),
        ...engineNames.map((name) => cellOf(findException(name, id))),
      ]),
    ),
    '',
    ...exceptions.map(({ reason }, index) => `${index + 1}. ${reason}`),
  ];
  return `${lines.join('\n')}\n`;
};
