import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type ErrorLabel, englishLabels, type Labels } from '../../src/react/lib/labels.ts';
import { plain, tableOf } from './markdown.ts';

const folder = new URL('../../src/react/lib/', import.meta.url);

/** The docstring of each label, without its default. */
const readMeanings = (): ReadonlyMap<string, string> => {
  const members = readFileSync(new URL('labels.ts', folder), 'utf8').matchAll(
    /\/\*\* ([^\n]*?)(?: Default: [^\n]*)? \*\/\n {2}readonly (\w+): (?:string|ErrorLabel);/g,
  );
  return new Map([...members].map(([, meaning = '', name = '']) => [name, meaning]));
};

const textOf = (label: string | ErrorLabel): string =>
  plain(typeof label === 'string' ? label : `**${label.title}** ${label.description}`);

const namesOf = (labels: Labels) => Object.keys(labels) as (keyof Labels)[]; // the type has no others

const readTranslations = async (): Promise<readonly (readonly [string, Labels])[]> =>
  Promise.all(
    globSync('labels/*.ts', { cwd: folder })
      .sort()
      .map(async (file) => {
        const { labels } = (await import(new URL(file, folder).href)) as { labels: Labels };
        return [basename(file, '.ts'), labels] as const;
      }),
  );

/** Every label with its meaning, in English and in each translation. */
export const labelPage = async (): Promise<string> => {
  const meanings = readMeanings();
  const languages = new Intl.DisplayNames('en', { type: 'language' });
  const translations = await readTranslations();
  return [
    '# Labels in every language',
    '[Labels and right-to-left](../components/labels.md) explains how to choose a language and how to replace a label. A label of an error has a `title`, bold here, and a `description`.',
    '## English',
    ...tableOf(
      ['Label', 'When', 'Text'],
      namesOf(englishLabels).map((name) => [
        `\`${name}\``,
        plain(meanings.get(name) ?? ''),
        textOf(englishLabels[name]),
      ]),
    ),
    ...translations.flatMap(([language, labels]) => [
      `## ${languages.of(language)}`,
      `\`@vitrine/react/labels/${language}\``,
      ...tableOf(
        ['Label', 'Text'],
        namesOf(englishLabels).map((name) => [
          `\`${name}\``,
          `<span lang="${language}" dir="auto">${textOf(labels[name])}</span>`,
        ]),
      ),
    ]),
    '',
  ].join('\n\n');
};
