import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, EngineName, ReaderSettings, Tab } from '../../support/engines/engine.ts';
import { findMissingEngines } from '../../support/engines/findEngines.ts';
import { launchEngine } from '../../support/engines/launchEngine.ts';
import type { Check } from './checks/check.ts';
import { checks, readerSettings, settingsChecks } from './checks/checks.ts';
import { findException } from './exceptions.ts';
import { type EngineHost, serveEngineHost } from './host/serveEngineHost.ts';

/** Declares the tests of one engine: one browser and one host app for all, a new tab for each that does not continue another. */
export const runChecks = (name: EngineName): void => {
  const declare = (list: Readonly<Record<string, Check>>, settings?: ReaderSettings) => {
    let engine: Engine;
    let tab: Tab | undefined;
    beforeAll(async () => {
      engine = await launchEngine(name, settings);
    });
    afterAll(() => engine?.close());

    const rows = Object.entries(list).map(([id, check]) => [check.title, id, check] as const);
    // WebKit's driver now and then leaves a command unanswered, whatever the page does.
    const retry = name === 'webkit' ? 1 : 0;
    it.each(rows)('%s', { retry }, async (_title, id, { run, needs, continues = false }) => {
      if (!continues) tab = await engine.open(needs);
      if (tab === undefined) throw new Error('This check continues the one before it: run both.');
      const checked = run({ tab, host });
      const exception = findException(name, id);
      if (!exception) return checked;
      const outcome = await checked.then(
        () => 'It passes: remove its entry from exceptions.ts.',
        (error: unknown) => String(error),
      );
      expect(outcome).toMatch(exception.message);
    });
  };

  let host: EngineHost;
  describe.skipIf(findMissingEngines().includes(name))(`in ${name}`, () => {
    beforeAll(async () => {
      host = await serveEngineHost();
    });
    afterAll(() => host?.close());

    describe('with default browser settings', () => {
      declare(checks);
    });

    describe('with reduced motion, forced colors and 200% zoom', () => {
      declare(settingsChecks, readerSettings);
    });
  });
};
