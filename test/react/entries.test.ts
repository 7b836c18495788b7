import * as entry from '@vitrine/react';
import * as devtools from '@vitrine/react/devtools';
import * as testing from '@vitrine/react/testing';
import { afterAll, expect, it } from 'vitest';
import { logForDeveloper } from '../../src/react/lib/development/logForDeveloper.ts';
import * as developmentEntry from '../../src/react/lib/index.development.ts';
import * as serverEntry from '../../src/react/lib/index.server.ts';
import { inspectors } from '../../src/react/lib/inspectors.ts';

// Test files share their modules, and this entry adds an inspector.
afterAll(() => void inspectors.delete(logForDeveloper));

it('exports exactly these values from @vitrine/react', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'EmbedError',
    'EmbedProvider',
    'EmbeddedReport',
    'embedKeyOptions',
    'embedKeyPrefix',
    'englishLabels',
    'flattenRow',
    'useEmbeddedReport',
    'usePrefetchReport',
    'useReportActions',
  ]);
});

it('exports the same values for server components', () => {
  expect({ ...serverEntry }).toEqual({ ...entry });
});

it('exports the same values in development', () => {
  expect({ ...developmentEntry }).toEqual({ ...entry });
  // Another file in this worker may have added the exports of the devtools.
  expect([...inspectors].at(-1)).toBe(logForDeveloper);
});

it('exports exactly these values from @vitrine/react/testing', () => {
  expect(Object.keys(testing)).toEqual(['createFakeEmbed']);
});

it('exports exactly these values from @vitrine/react/devtools', () => {
  expect(Object.keys(devtools)).toEqual(['VitrineDevtools']);
});
