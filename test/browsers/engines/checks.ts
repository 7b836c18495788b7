import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Engine,
  type EngineName,
  engineNames,
  type ReaderSettings,
  type Tab,
  type TabNeeds,
} from '../../support/engines/engine.ts';
import { findMissingEngines } from '../../support/engines/findEngines.ts';
import { launchEngine } from '../../support/engines/launchEngine.ts';
import type { HostPage } from '../host/main.tsx';
import type { PageRecord } from '../host/pageRecord.ts';
import { type Host, serveHost } from '../host/serveHost.ts';

/** The context of a check: a tab, and a host app that all checks of an engine share. */
export interface CheckContext {
  readonly tab: Tab;
  readonly host: Host;
}

/** Behavior of the component that is checked in every engine. */
export interface Check {
  /** Its title in the test run and in docs/engines.md. */
  readonly title: string;
  /** Whether it proves that another check can fail, and is not in docs/engines.md. */
  readonly isControl?: boolean;
  /** Requirements of its tab. */
  readonly needs?: TabNeeds;
  /** Whether it starts on the page that the check before it leaves: loading a report is most of the work. Default: a new tab. */
  readonly continues?: boolean;
  /** Error messages in the engines where it fails. docs/engines.md gives the reason. */
  readonly fails?: Partial<Readonly<Record<EngineName, RegExp>>>;
  readonly run: (context: CheckContext) => Promise<void>;
}

/** The visible frame. */
export const shownFrame = 'iframe:not([style*="hidden"])';

/** Waits until a value passes; reports the last one otherwise. */
export const waitUntil = <TValue>(
  read: () => Promise<TValue>,
  isRight: (value: TValue) => boolean,
  timeout = 20_000,
): Promise<TValue> =>
  vi.waitFor(
    async () => {
      const value = await read();
      if (!isRight(value)) throw new Error(`Still ${JSON.stringify(value)}.`);
      return value;
    },
    { timeout, interval: 50 },
  );

/** Reads a value, again if the driver drops its response. */
export const ask = <TValue>(read: () => Promise<TValue>): Promise<TValue> => waitUntil(read, () => true);

/** State and error code of the report. */
export const readState = ({ tab }: CheckContext): Promise<string> =>
  tab.evaluate(() => {
    const report = document.querySelector<HTMLElement>('[data-state]');
    return [report?.dataset['state'], report?.dataset['code']].filter(Boolean).join(' ');
  });

export const waitForState = async (context: CheckContext, state: string): Promise<void> =>
  void (await waitUntil(
    () => readState(context),
    (value) => value === state,
  ));

/** What the page has recorded so far. */
export const readRecord = ({ tab }: CheckContext): Promise<PageRecord> =>
  // The host page sets it.
  tab.evaluate(() => (globalThis as unknown as { host: HostPage }).host.record);

/** Advances the page's clock. */
export const advanceClock = ({ tab }: CheckContext, ms: number): Promise<void> =>
  // Not repeated: the driver may have dropped only the response.
  tab.evaluate((ms: number) => (globalThis as unknown as { host: HostPage }).host.advanceClock(ms), ms);

/** Opens a page of the host app as the regional manager of the north. */
export const openSignedIn = async ({ tab, host }: CheckContext, address = '/'): Promise<void> => {
  await tab.goto(host.url + address);
};

/** Regions that the report shows, read from its own document. */
export const readRegions = ({ tab }: CheckContext): Promise<string[]> =>
  tab
    .frame(shownFrame)
    .evaluate(() =>
      [...document.querySelectorAll('[data-visual="revenue-by-region"] [role="option"]')].map(
        ({ textContent }) => textContent.split(':')[0] ?? '',
      ),
    );

export const waitForRegions = (context: CheckContext): Promise<string[]> =>
  waitUntil(
    () => readRegions(context),
    (regions) => regions.length > 0,
  );

/** Cells of docs/engines.md by title, in the order of the engines. */
const documented = new Map(
  readFileSync('docs/engines.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => {
      const [title = '', ...cells] = line.slice(2, -2).split(' | ');
      return [title, cells] as const;
    }),
);

/** Set by `npm test` without `--all`. */
const tested =
  process.env['VITRINE_WITHOUT_SLOW_TESTS'] === undefined ? engineNames : engineNames.slice(0, 1);

/**
 * Runs checks in every engine: one browser each and one host app for all, and a new tab for each check that does not
 * continue another. A check that starts to pass where it failed fails until its entry is removed.
 */
export const describeInEngines = (checks: readonly Check[], settings?: ReaderSettings): void => {
  let host: Host;
  beforeAll(async () => {
    host = await serveHost();
  });
  afterAll(() => host?.close());

  describe.each(tested)('a report in %s', (name) => {
    describe.skipIf(findMissingEngines().includes(name))('on this machine', () => {
      let engine: Engine;
      let tab: Tab | undefined;
      beforeAll(async () => {
        engine = await launchEngine(name, settings);
      });
      afterAll(() => engine?.close());

      // WebKit's driver now and then leaves a command unanswered, whatever the page does.
      const retry = name === 'webkit' ? 1 : 0;
      it.each(checks)('$title', { retry }, async (check) => {
        const { run, needs, continues = false, fails = {}, isControl = false, title } = check;
        if (!isControl)
          expect(documented.get(title)?.[engineNames.indexOf(name)], 'docs/engines.md').toMatch(
            fails[name] === undefined ? /^yes$/ : /^(?:no|not supported) \[\d\]$/,
          );
        if (!continues) tab = await engine.open(needs);
        if (tab === undefined) throw new Error('This check continues the one before it: run both.');
        if (fails[name] === undefined) await run({ tab, host });
        else await expect(run({ tab, host })).rejects.toThrow(fails[name]);
      });
    });
  });
};
