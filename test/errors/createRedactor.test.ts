import { createRedactor, Secret } from '@vitrine/portal-client';
import { describe, expect, it } from 'vitest';
import { fc } from '../support/fc.ts';
import { findCanary } from '../support/findCanary.ts';

const secret = 'Zq83nVb2Lw0x+/=ü tR9';
const redact = createRedactor([new Secret(secret)]);

describe('createRedactor()', () => {
  it('does not change ordinary words', () => {
    expect(redact('Passphrase is wrong for tenant "acme" (code 17).')).toBe(
      'Passphrase is wrong for tenant "acme" (code 17).',
    );
  });

  it.each([
    'Donaudampfschifffahrtsgesellschaften',
    'cannot-be-used-with-another-organization',
    'UserDoesNotHavePermissionForReport',
    'administration/reports/permissions/missing',
  ])('does not mask the word %s, which is as long as a token', (word) => {
    expect(redact(`refused: ${word}`)).toBe(`refused: ${word}`);
    expect(redact(`refused: ${word}7`)).toBe('refused: ***');
  });

  it('masks the secret as it is, in JSON, in a URL and in Base64', () => {
    for (const written of [
      secret,
      encodeURIComponent(secret),
      encodeURIComponent(secret).toLowerCase(),
      encodeURI(secret),
      secret.replaceAll(/[^\w]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
      JSON.stringify(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(`x${secret}`).toString('base64'),
      Buffer.from(`xy${secret}`).toString('base64url'),
    ]) {
      const shown = redact(`got ${written} instead`);
      expect(findCanary(shown, secret)).toBeUndefined();
      expect(shown).toContain('***');
    }
    expect(createRedactor(['a.b*c'])('axbxc and a.b*c')).toBe('axbxc and ***');
  });

  it.each([
    ['a form', 'Blue Moon Rises 7', 'Blue+Moon+Rises+7'],
    ['a URL of .NET', 'Blue!Moon(Rises)*7', 'Blue%21Moon%28Rises%29%2A7'],
    ['a URL in which every byte is escaped', 'Blümoon-.~7', '%42%6c%C3%BCmoon%2d%2E%7E%37'],
    ['JSON of PHP', 'Blue/Moon/7', 'Blue\\/Moon\\/7'],
    ['JSON in which some letters are escaped', 'dBmoon-77', '\\u0064\\u0042moon\\u002d\\u00377'],
    ['HTML with names', "Jane's+Moon/7", 'Jane&apos;s&plus;Moon&sol;7'],
    ['HTML without semicolons', 'BlueMoon+x', 'BlueMoon&#43x'],
    ['HTML that is escaped in JSON and in a URL', 'BlueMoon+"7', 'BlueMoon%26%23x2B%3B%5C%22' + '7'],
    ['lines', 'Zq83nVb2Lw0xTr9kP4', 'Zq83nVb2\r\n Lw0xTr9k\r\n P4'],
    ['lines of Base64', 'Zq83nVb2Lw0xTr9kP', 'WnE4M25WYjJM\ndzB4VHI5a1A='],
    ['a text with invisible characters', 'BlueMoon 7', 'BlueM\u{200b}oo\u{ad}n 7'],
  ])('shows nothing of a text that has the secret in %s', (_place, own, written) => {
    expect(createRedactor([own])(`got ${written}, no`)).toBe('***');
    // Control: another text of the same form stays.
    expect(createRedactor([`${own}x`])(`got ${written}, no`)).not.toContain('***');
  });

  it.each([8, 9, 10])(
    'shows no part of a secret of %i bytes in Base64, wherever it begins and ends',
    (length) => {
      const short = 'Zq83nVb2Lw'.slice(0, length);
      const shortRedact = createRedactor([short]);
      for (const before of ['', 'x', 'xy'])
        for (const after of ['', 'z', 'zz'])
          for (const encoding of ['base64', 'base64url'] as const)
            expect(shortRedact(`got ${Buffer.from(before + short + after).toString(encoding)}, no`)).toBe(
              '***',
            );
    },
  );

  it('masks a secret at the beginning', () => {
    expect(redact(`${secret} is wrong`)).toBe('*** is wrong');
  });

  it('shows no part of a secret where a long text is cut', () => {
    const long = 'correct horse battery staple moon river lamp';
    for (const before of ['', 'zzz', 'zzzzzzz'])
      for (const between of ['', ', '])
        expect(createRedactor([long])(before + (long + between).repeat(600))).not.toMatch(/cor|hor|bat|sta/);
  });

  it.each([
    ['spaces', 'correct   horse   battery', `correct${' '.repeat(20_000)}x`],
    ['backslashes', 'a\\\\\\b-secret', `a${'\\'.repeat(60)}`.repeat(300)],
    ['one letter', `${'a'.repeat(4000)}b`, 'a'.repeat(20_000)],
    ['Base64 of one letter', 'a'.repeat(40), Buffer.from('a'.repeat(15_000)).toString('base64')],
  ])('takes no time that grows with the square of the length: %s', (_of, own, text) => {
    expect(createRedactor([own])(text).length).toBeLessThanOrEqual(300);
  });

  it('masks short secrets, adjacent secrets, and the longer of two that begin alike', () => {
    expect(createRedactor(['Zq83nVb'])('got Zq83nVb')).toBe('got ***');
    expect(createRedactor([''])('got nothing')).toBe('got nothing');
    expect(createRedactor(['a\nb'])('got "a\\nb"')).toBe('got "***"');
    expect(createRedactor(['Zq83nVb2', 'Lw0xTr9k'])('got Zq83nVb2Lw0xTr9k')).toBe('got ******');
    expect(createRedactor(['Zq83', 'Zq83nVb2'])('got Zq83nVb2')).toBe('got ***');
  });

  it('masks a secret that the length limit cuts, tokens of 32 characters, and credentials of six', () => {
    const before = 'ab '.repeat(98);
    expect(redact(before + secret)).toBe(`${before}***`);
    expect(redact(`got ${'t7'.repeat(15)}t and ${'t7'.repeat(16)}`)).toBe(`got ${'t7'.repeat(15)}t and ***`);
    expect(redact('sent Bearer abc.d, Bearer abc.d3')).toBe('sent Bearer abc.d, Bearer ***');
  });

  it('keeps escapes and JavaScript readable when there is no secret', () => {
    for (const text of [
      'Tom &amp; Jerry &#39;s',
      'C:\\users\\x41',
      'value?.trim is not a function',
      'Option "apiKey" begins with the scheme of the header',
      '100 % of %zz and &#99999999;',
    ])
      expect(redact(text)).toBe(text);
  });

  it('keeps identifiers readable, because operators search for them', () => {
    const guid = '09cdf20d-7062-8886-9290-a66f6b3f8817';
    expect(redact(`item ${guid}`)).toBe(`item ${guid}`);
    expect(redact(`key Q${guid} or ${guid}Q`)).toBe('key *** or ***');
    const trace = guid.replaceAll('-', '');
    const traceParent = `00-${trace}-9290a66f6b3f8817-01`;
    expect(redact(`traces ${trace}, ${traceParent}`)).toBe(`traces ${trace}, ${traceParent}`);
    expect(redact(`traces Q${trace}, Q${traceParent}`)).toBe('traces ***, ***');
  });

  it('masks queries, long tokens and line breaks, and stops after 300 characters', () => {
    const shown = redact(
      `GET https://a.example/report/1?ev=abc%2B token ${'Q'.repeat(64)}\r\nSet-Cookie: x ${'word '.repeat(200)}`,
    );
    expect(shown).not.toContain('ev=');
    expect(shown).not.toContain('QQQQ');
    expect(shown).not.toMatch(/[\r\n]/);
    expect(shown.length).toBeLessThanOrEqual(300);
    expect(redact(' GET /report/1?ev=abc%2B:\r\nno ')).toBe('GET /report/1?*** no');
    expect(redact('refused \u{202E}gnp.exe')).toBe('refused  gnp.exe');
  });

  it('reads at most four times the text that it shows', () => {
    expect(redact(`GET /?${'q'.repeat(1100)} end`)).toBe('GET /?*** end');
    expect(redact(`GET /?${'q'.repeat(1200)} end`)).toBe('GET /?***');
  });

  it.each([
    ['sent Bearer abc.d3f, got 401', 'sent Bearer ***, got 401'],
    ['sent {"x-api-key":"abc.d3f"}', 'sent {"x-api-key":"***"}'],
    ['ApiKey abc.d3f; ApiKey is invalid', 'ApiKey ***; ApiKey is invalid'],
    ['api-key=abc.d3f, api-key: abc.d3f, api-key : abc.d3f', 'api-key=***, api-key: ***, api-key : ***'],
    ['sent Bearer  abc.d3f', 'sent Bearer  ***'],
    ['no route to postgres://u:p@55@host/db', 'no route to postgres://***@host/db'],
    [
      'mail to ann@acme.example, see https://acme.example/a',
      'mail to ann@acme.example, see https://acme.example/a',
    ],
  ])('masks credentials of other services, and nothing else: %s', (text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  it('masks the secret wherever it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.string({ maxLength: 40 }), (before, after) => {
        expect(findCanary(redact(before + secret + after), secret)).toBeUndefined();
      }),
    );
  });
});
