import { describe, expect, it } from 'vitest';
import { findRetiredWords } from '../../scripts/checkWords.ts';

describe('findRetiredWords()', () => {
  it.each([
    ['a retired identifier', 'const keeper = createKeyKeeper();'],
    ['a negation that English does not use', 'The value is no number.'],
    ['a relative clause as the subject', 'What spilled comes home.'],
    ['a retired heading', '## The house'],
    ['a negated relative clause', 'Rejects a value that is no array.'],
    ['an outdated word for again', 'The report loads anew.'],
    ['a relative clause in place of a role', '/** What the endpoint works with. */'],
    ['a subject without a name', 'Whoever waits is told.'],
    ['a number without a number', 'Waits for so many milliseconds.'],
    ['a relative clause without a noun', 'an address that is none'],
    ['a vague verb', 'The command fails, and says so.'],
    ['a retired term inside a name', 'let isMended = false;'],
    ['a retired term in a path', 'test/support/spoiled-service.ts'],
    ['a negated noun', 'A date a year away is no clock.'],
    ['a cost that is none', 'A broken logger costs no key.'],
    ['a gift that is none', 'The portal gives no key.'],
    ['an outdated preposition', 'The portal runs beside the app.'],
    ['a title that is a riddle', "it('what nobody heard', async () => {"],
    ['a British spelling', 'The behaviour is the same.'],
    ['a British spelling inside a name', 'const isCancelled = wasNormalised(seriesColour);'],
    ['a hyphen in email', 'Enter your e-mail address.'],
  ])('reports %s', (_, text) => {
    expect(findRetiredWords(text)).not.toEqual([]);
  });

  it('returns the line number and what to write instead', () => {
    expect(findRetiredWords('fine\nThe portal speaks no TLS.')).toEqual([
      { line: 2, found: 'speaks no', instead: "doesn't use …" },
    ]);
  });

  it.each([
    'The value is not a number.',
    'There is no portal at this address.',
    'Import spilled deliveries.',
    'Removes a user that is no longer there.',
    'The portal gives no reason.',
    'The latest version besides these, for recommended settings.',
    'The host publishes its latest newsletter.',
    'A newsletter recommends it.',
    '/** What to do if the key is missing. */',
    '<main aria-labelledby="title">',
    '--map email=E-Mail',
    "it('names what is missing', async () => {",
  ])('accepts: %s', (text) => {
    expect(findRetiredWords(text)).toEqual([]);
  });
});
