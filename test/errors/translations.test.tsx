import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { render, screen } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider, englishLabels, type Labels } from '@vitrine/react';
import { labels as hebrew } from '@vitrine/react/labels/he';
import { createFakeEmbed } from '@vitrine/react/testing';
import { describe, expect, it } from 'vitest';

const languages = globSync('src/react/lib/labels/*.ts').map((file) => basename(file, '.ts'));

/** Every text by its path: `signed_out.title`. */
const textsOf = (labels: Labels): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([name, label]: [string, string | object]) =>
      typeof label === 'string'
        ? [[name, label]]
        : Object.entries(label).map(([part, text]): [string, string] => [`${name}.${part}`, String(text)]),
    ),
  );

const placeholdersOf = (labels: Labels) =>
  Object.entries(textsOf(labels)).flatMap(([path, text]) =>
    [...text.matchAll(/\{\w+\}/g)].map(([placeholder]) => `${path} ${placeholder}`),
  );

/** Words for developers, which belong into the console: a viewer does not know that there is a portal. */
const developerWords = /\{origin\}|frame-src|CSP|COEP|porta[lai]|portail|ポータル|포털|门户|פורטל|بوابة/i;

/** What a translation lacks, or has in addition. */
const faultsOf = (labels: Labels): readonly string[] => {
  const english = textsOf(englishLabels);
  const texts = textsOf(labels);
  const expected = placeholdersOf(englishLabels);
  const placeholders = placeholdersOf(labels);
  return [
    ...Object.keys(english).filter((path) => !texts[path]?.trim()),
    ...Object.keys(texts).filter((path) => english[path] === undefined),
    ...expected.filter((placeholder) => !placeholders.includes(placeholder)),
    ...placeholders.filter((placeholder) => !expected.includes(placeholder)),
    // Words such as "Report" may be the same in both; a sentence may not.
    ...Object.keys(english).filter((path) => texts[path] === english[path] && english[path]?.includes(' ')),
  ];
};

describe('the label translations', () => {
  it('have a fixed list of languages', () => {
    expect(languages.toSorted()).toEqual([
      'ar',
      'de',
      'es',
      'fr',
      'he',
      'it',
      'ja',
      'ko',
      'nl',
      'pl',
      'pt-BR',
      'zh-Hans',
    ]);
  });

  it.each(languages)('are complete in %s', async (language) => {
    const { labels } = (await import(`../../src/react/lib/labels/${language}.ts`)) as {
      labels: Labels;
    };
    expect(faultsOf(labels)).toEqual([]);
  });

  it('and the English labels have no word for developers', async () => {
    const all = await Promise.all(
      languages.map(async (language) => {
        const module: unknown = await import(`../../src/react/lib/labels/${language}.ts`);
        return (module as { labels: Labels }).labels;
      }),
    );
    for (const labels of [englishLabels, ...all])
      expect(Object.values(textsOf(labels)).filter((text) => developerWords.test(text))).toEqual([]);
  });

  it('control: a word for developers is found', () => {
    for (const text of [
      'The portal isn’t responding',
      'Le portail ne répond pas',
      'ポータルが応答していません',
    ])
      expect(text).toMatch(developerWords);
  });

  it('the English labels contract words in one way', () => {
    const long = Object.values(textsOf(englishLabels)).filter((text) =>
      /\bnot\b|\bcannot\b|\bare\b/.test(text),
    );
    expect(long).toEqual([]);
  });

  it('control: fail when a text is missing, left in English or without its placeholder', () => {
    expect(faultsOf({ ...hebrew, retry: '' })).toEqual(['retry']);
    expect(faultsOf({ ...hebrew, loading: englishLabels.loading })).toEqual(['loading']);
    expect(faultsOf({ ...hebrew, offline: { title: 'x', description: 'y' } })).toEqual([
      'offline.description {seconds}',
    ]);
  });

  it('are shown by the component', async () => {
    const fake = createFakeEmbed();
    fake.answer('report_unavailable');
    render(
      <EmbedProvider {...fake.provider} labels={hebrew}>
        <EmbeddedReport itemId={1042} />
      </EmbedProvider>,
    );
    expect(await screen.findByText(hebrew.report_unavailable.title)).toBeVisible();
    fake.close();
  });
});
