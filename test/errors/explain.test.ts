import { explain, type Failure, settings } from '@vitrine/contract/service';
import { PortalError } from '@vitrine/portal-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checks, mistakes } from '../../src/contract/lib/service/advice.ts';

describe('explain()', () => {
  it('names a setting as the option, the variable or the flag of the place where it is shown', () => {
    const failure = { code: 'invalid_url', setting: 'baseUrl', found: '"acme"' };
    expect(explain(failure, 'option').what).toContain('Option "baseUrl" is "acme".');
    expect(explain(failure, 'variable').what).toContain('VITRINE_BASE_URL is "acme".');
    expect(explain(failure, 'flag').what).toContain('--base-url is "acme".');
    expect(explain(failure, 'flag', { baseUrl: 'VITRINE_BASE_URL' }).what).toContain('VITRINE_BASE_URL is');
  });

  it('names the settings of the advice, too', () => {
    expect(explain({ code: 'roles_refused' }, 'option').check).toContain(
      'the roleNames that viewer() returns',
    );
    expect(explain({ code: 'roles_refused' }, 'flag').check).toContain('Compare --role with');
  });

  it('says a row that is added to the tables in every voice, without another line of code', () => {
    const failure: Failure = { code: 'wrong_color', setting: 'color' };
    const words = (voice: 'option' | 'variable' | 'flag') => {
      const { what, check } = new PortalError('', { kind: 'config', failure }).explain(voice);
      return `${what} ${check}`.trim();
    };
    // Without the rows, nothing is said.
    expect([words('option'), words('variable'), words('flag')]).toEqual(['', '', '']);

    onTestFinished(() => {
      for (const [table, row] of [
        [settings, 'color'],
        [mistakes, 'wrong_color'],
        [checks, 'wrong_color'],
      ] as const)
        Reflect.deleteProperty(table, row);
    });
    Object.assign(settings, { color: { option: 'color', variable: 'VITRINE_COLOR', flag: '--color' } });
    Object.assign(mistakes, { wrong_color: '{setting} is wrong.' });
    Object.assign(checks, { wrong_color: 'Compare {color} with the portal.' });
    expect(words('option')).toBe('Option "color" is wrong. Compare color with the portal.');
    expect(words('variable')).toBe('VITRINE_COLOR is wrong. Compare VITRINE_COLOR with the portal.');
    expect(words('flag')).toBe('--color is wrong. Compare --color with the portal.');
  });

  it('leaves braces of other texts alone, and knows no advice for an unknown code', () => {
    expect(explain({ code: 'bad_option', setting: 'x', found: 'it is {y}' }, 'flag').what).toBe(
      'x cannot be used: it is {y}.',
    );
    expect(explain({ code: 'toString' }, 'option')).toEqual({ what: '', check: '' });
  });

  it.each([...new Set([...Object.keys(mistakes), ...Object.keys(checks)])])(
    'fills every name of %s',
    (code) => {
      const facts = { setting: 'apiKey', found: 'F', part: 'P', expected: 'E' };
      const { what, check } = explain({ code, ...facts }, 'variable');
      expect(`${what} ${check}`).not.toMatch(/[{}]/);
      expect(`${what} ${check}`.trim()).toMatch(/^[A-Z].*\.$/);
    },
  );
});
