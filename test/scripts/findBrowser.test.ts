import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBrowser, findHeadlessShell } from '../../scripts/findBrowser.ts';
import { ensureBrowser, ensureHeadlessShell, type InstallStep } from '../../scripts/installBrowser.ts';

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

  const installShell = (mayUseApt: boolean, version?: string, found?: string) => {
    const tried: string[] = [];
    ensureHeadlessShell(
      {
        find: () => found,
        run: ({ command }) => tried.push(command.join(' ')) > 0,
        say: () => undefined,
        mayUseApt,
      },
      version,
    );
    return tried;
  };

  it("is installed from Debian in the version of Debian's Chromium", () => {
    expect(installShell(true, '156.0-1')).toEqual([
      'apt-get install -y -qq --no-install-recommends chromium-headless-shell=156.0-1',
    ]);
  });

  it('is not installed if it exists, if Chromium is not from Debian, or without permission to run apt', () => {
    expect(installShell(true, '156.0-1', '/usr/bin/chromium-headless-shell')).toEqual([]);
    expect(installShell(true)).toEqual([]);
    expect(installShell(false, '156.0-1')).toEqual([]);
  });
});

const install = (worksAt: string, mayUseApt: boolean) => {
  const tried: string[] = [];
  const said: string[] = [];
  let installed = false;
  const found = ensureBrowser({
    find: () => (installed ? '/usr/bin/chromium' : undefined),
    run: (step: InstallStep) => {
      tried.push(step.command.join(' '));
      installed = step.title === worksAt;
      return installed || step.title.includes('list');
    },
    say: (line) => said.push(line),
    mayUseApt,
  });
  return { found, tried, said };
};

describe('a machine without a browser', () => {
  it('uses the one that Playwright downloads', () => {
    const { found, tried, said } = install("Playwright's download", true);
    expect(found).toBe('/usr/bin/chromium');
    expect(tried).toEqual(['npx playwright install chromium']);
    expect(said).toEqual(["No Chromium on this machine; trying Playwright's download ..."]);
  });

  it("uses Debian's package if the download fails and apt is permitted", () => {
    const { found, tried } = install("Debian's package", true);
    expect(found).toBe('/usr/bin/chromium');
    expect(tried.at(-1)).toContain('apt-get install');
  });

  it('never runs apt without permission', () => {
    const { found, tried } = install("Debian's package", false);
    expect(found).toBeUndefined();
    expect(tried).toHaveLength(1);
  });
});
