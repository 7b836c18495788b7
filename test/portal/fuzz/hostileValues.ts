import fc from 'fast-check';

const deep = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);

/** JSON texts that are unexpected in a field, valid JSON or not. */
const knownTexts: readonly string[] = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e400',
  '9007199254740993',
  '-0',
  '""',
  '" "',
  '[]',
  '{}',
  '[null]',
  '[[[]]]',
  '["Viewer","Viewer"]',
  '[7]',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e"',
  `"${'x'.repeat(5000)}"`,
  `[${'1,'.repeat(2000)}1]`,
  deep(20, '[', ']'),
  deep(3000, '[', ']'),
  deep(3000, '{"a":', ''),
  `"' or 1=1 --"`,
  '"%00"',
  '"../../etc/passwd"',
  '"2026-02-30T25:61:00Z"',
  '"0001-01-01T00:00:00Z"',
  '"+275760-09-13T00:00:00.001Z"',
  '"1969-12-31T23:59:59.999-14:00"',
  'undefined',
  'NaN',
  "'single'",
];

/** JSON text of an unsupported value; `foreign` are identifiers of another tenant. */
export const hostileJson = (foreign: readonly (string | number)[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...knownTexts),
    fc.constantFrom(...foreign).map((id) => JSON.stringify(id)),
    fc.constantFrom(...foreign).map((id) => JSON.stringify([id])),
    fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)),
    fc.json({ maxDepth: 3 }),
    fc.double().map((value) => String(value)),
  );

const knownWords: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e3',
  '201',
  '99999999999999999999',
  'NaN',
  'null',
  '[]',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '\0',
  '\r\nx: y',
  "' or 1=1 --",
  '..',
  '../../v1/users',
  '%',
  '%zz',
  '2026-01-01',
  '2026-13-01/2026-01-01',
  '2026-01-01/..',
  '../..',
  '2026-02-01/2026-01-01',
  '-271821-04-19T23:59:59Z/+275760-09-13T00:00:01Z',
  '2026-W01/2026-W02',
  'P1D/2026-01-01',
  'x'.repeat(3000),
];

/** An unsupported value for a path or a query. */
export const hostileWord = (foreign: readonly (string | number)[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...knownWords),
    fc.constantFrom(...foreign).map(String),
    fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => text.isWellFormed()),
    fc.integer().map(String),
  );
