import * as entry from '@vitrine/react';
import * as devtools from '@vitrine/react/devtools';
import * as testing from '@vitrine/react/testing';
import { afterAll, expect, it } from 'vitest';
import { development } from '../../src/react/lib/errors.ts';
import * as developmentEntry from '../../src/react/lib/index.development.ts';

// Test files share their modules, and this entry installs the help for developers.
afterAll(() => {
  for (const name of Object.keys(development)) Reflect.deleteProperty(development, name);
});

it('exports exactly these values from @vitrine/react', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'EmbedError',
    'EmbedProvider',
    'EmbeddedReport',
    'embedKeyOptions',
    'embedKeyPrefix',
    'englishLabels',
    'flattenRow',
    'useEmbed',
    'useEmbeddedReport',
    'usePrefetchReport',
    'useReportActions',
  ]);
});

it('exports the same values in development', () => {
  expect({ ...developmentEntry }).toEqual({ ...entry });
  expect(development.onReportError).toBeTypeOf('function');
});

it('exports exactly these values from @vitrine/react/testing', () => {
  expect(Object.keys(testing)).toEqual(['createFakeEmbed']);
});

it('exports exactly these values from @vitrine/react/devtools', () => {
  expect(Object.keys(devtools)).toEqual(['VitrineDevtools']);
});
