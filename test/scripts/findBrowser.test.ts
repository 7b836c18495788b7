import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBrowser, findHeadlessShell } from '../../scripts/findBrowser.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-browser-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const program = (name: string, exitCode = 0): string => {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\nexit ${exitCode}\n`);
  chmodSync(file, 0o755);
  return file;
};
const nowhere = { named: undefined, path: '', playwrightsOwn: '/nowhere/chrome' };

describe('the browser for the tests', () => {
  it('is the one in CHROMIUM_PATH, before any other', () => {
    const named = program('my-browser');
    program('chromium');
    expect(findBrowser({ ...nowhere, named, path: folder })).toBe(named);
  });

  it('is found on PATH under its usual names', () => {
    const chrome = program('google-chrome');
    expect(findBrowser({ ...nowhere, path: `/nowhere:${folder}` })).toBe(chrome);
  });

  it('is the one that Playwright downloaded if PATH has none', () => {
    const own = program('chrome');
    expect(findBrowser({ ...nowhere, playwrightsOwn: own })).toBe(own);
  });

  it('is never one that does not start', () => {
    program('chromium', 1);
    const chrome = program('google-chrome');
    expect(findBrowser({ ...nowhere, path: folder })).toBe(chrome);
  });

  it('is not searched elsewhere when the one in CHROMIUM_PATH does not start', () => {
    program('chromium');
    const named = join(folder, 'missing');
    expect(() => findBrowser({ ...nowhere, named, path: folder })).toThrow(
      `CHROMIUM_PATH is "${named}", which does not start. Set it to a Chromium, or unset it.`,
    );
  });
});

describe('the headless shell for the tests', () => {
  it('is found on PATH, and only there', () => {
    program('chromium');
    expect(findHeadlessShell({ ...nowhere, path: folder })).toBeUndefined();
    const shell = program('chromium-headless-shell');
    expect(findHeadlessShell({ ...nowhere, path: folder })).toBe(shell);
  });

  it('is not used when CHROMIUM_PATH is set', () => {
    program('chromium-headless-shell');
    expect(findHeadlessShell({ named: program('my-browser'), path: folder })).toBeUndefined();
  });
});
