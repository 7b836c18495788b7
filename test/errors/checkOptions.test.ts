import { checkOptions, explain, type OptionRules } from '@vitrine/contract/service';
import { describe, expect, it } from 'vitest';

const rules: OptionRules = {
  portal: true,
  viewer: { kind: 'function', isRequired: true, expected: 'a function that returns who sends a request' },
  maxRetries: { kind: 'whole', min: 0, max: 10 },
  rate: { kind: 'number', min: 0.001 },
  readOnly: { kind: 'boolean' },
  file: { kind: 'text' },
  missing: { kind: 'choice', values: ['keep', 'delete'] },
  limit: {
    kind: 'group',
    or: false,
    options: { perViewer: { kind: 'whole', min: 1 }, store: true },
  },
};
const viewer = () => null;
const sentence = (given: unknown): string => {
  const failure = checkOptions('start()', given, rules);
  if (failure === undefined) return '';
  const { what } = explain(failure, 'option');
  return what;
};

describe('checkOptions()', () => {
  it.each([
    { viewer },
    { viewer, portal: 5, maxRetries: 10, rate: 0.5, readOnly: false, file: 'a', missing: 'keep' },
    { viewer, maxRetries: undefined, limit: false },
    { viewer, limit: { perViewer: 1, store: null } },
  ])('accepts %o', (given) => {
    expect(sentence(given)).toBe('');
  });

  it.each([
    [null, 'start() needs an object with options; it is null. The options are portal, viewer, maxRetries,'],
    [[], 'it is an array.'],
    [{ viewer, maxRetires: 1 }, 'start() has no option "maxRetires". Use "maxRetries".'],
    [{ viewer, MAXRETRIES: 1 }, 'Use "maxRetries".'],
    [{ viewer, timeout: undefined }, 'start() has no option "timeout". Use one of portal, viewer,'],
    [{}, 'Option "viewer" is missing. Pass a function that returns who sends a request.'],
    [{ viewer, maxRetries: '3' }, 'Option "maxRetries" is a string. Pass a whole number from 0 to 10.'],
    [{ viewer, maxRetries: 11 }, 'Option "maxRetries" is 11.'],
    [{ viewer, maxRetries: 0.5 }, 'Option "maxRetries" is 0.5.'],
    [{ viewer, rate: Number.NaN }, 'Option "rate" is NaN. Pass a number from 0.001.'],
    [{ viewer, readOnly: 'true' }, 'Option "readOnly" is a string. Pass true or false.'],
    [{ viewer, file: '' }, 'Option "file" is an empty string. Pass a text.'],
    [{ viewer, missing: 'remove' }, 'Option "missing" is "remove". Pass "keep" or "delete".'],
    [{ viewer, limit: 5 }, 'Option "limit" is 5. Pass an object with perViewer, store, or false.'],
    [{ viewer, limit: { perviewer: 5 } }, 'Option "limit" has no option "perviewer". Use "perViewer".'],
    [{ viewer, limit: { perViewer: 0 } }, 'Option "limit.perViewer" is 0. Pass a whole number from 1.'],
  ])('rejects %o', (given, expected) => {
    expect(sentence(given)).toContain(expected);
  });

  it('shows no text that may be a secret', () => {
    expect(sentence({ viewer: 'hunter2-hunter2' })).not.toContain('hunter2');
  });
});

describe('an unknown name', () => {
  const known: OptionRules = { keyLifetime: true, port: true, tls: true };
  it.each([
    ['keyLifeTime', 'keyLifetime'],
    ['keyLifetme', 'keyLifetime'],
    ['prot', 'port'],
    ['tsl', 'tls'],
    ['host', undefined],
    ['', undefined],
  ])('%j is answered with %j', (text, expected) => {
    expect(checkOptions('start()', { [text]: 1 }, known)?.expected).toBe(
      expected === undefined ? 'one of keyLifetime, port, tls' : `"${expected}"`,
    );
  });
});
