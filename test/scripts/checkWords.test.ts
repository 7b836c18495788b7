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
    ['a function that judges', 'const judge = (goal: Goal) => goal.limit;'],
    ['a name that begins with judge', 'portal.answer = judgeCall;'],
    ['a life in place of a role', "let life = 'last';"],
    ['a key ID that is a cache key', 'const keyId = `${item}|${viewer}`;'],
    ['a look of a table', 'export interface TableLook {'],
    ['a file that is moved aside', 'A damaged file is moved aside.'],
    ['a name that moves aside', 'const movedTo = moveAside(file);'],
    ['a predicate without a noun', 'The spill folder is none'],
    ['a predicate without a noun in a title', "it('rejects when its folder is none', async () => {"],
    ['a value that speaks', 'The page has 200 events when pageSize says so.'],
    ['a pause as a present', 'The portal is given a pause'],
    ['an undo of its own', 'Returns its own undo.'],
    ['a promise to see to it', 'Three things see to it that a click arrives.'],
    ['a check that did not come', 'The run did not come to this question.'],
    ['a way to a host', 'Check the way to the portal'],
    ['a way that leads', "A key's way leads through lib"],
    ['an appeal in place of advice', 'This report is not set up. Ask for help.'],
    ['a relative clause in place of an accessible name', 'A text for people who do not see it'],
    ['an answer with a status', 'A backend that answers 404 has decided.'],
    ['an answer with a status in the passive', "it('is answered 413', async () => {"],
    ['an adverb in two words', 'The viewer may not see the report any more.'],
    ['a verb that goes on', 'Logs a warning and goes on without it.'],
    ['certificates that sign', 'The certificates sign themselves.'],
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
    'Uses the default if there is none.',
    'The audience is nonempty.',
    'Are there any more users?',
    'The answer to 404 questions.',
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
