/**
 * Changes the code that decides, one small thing at a time, and counts the changes that a test notices:
 * `npm run test:mutation` for every area, `npm run test:mutation limits` for one. Needs an otherwise unchanged work tree,
 * which it changes and restores.
 */
import { globSync, rmSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';

interface Area {
  readonly mutate: readonly string[];
  /** The tests that are to notice, by Vitest project. */
  readonly tests: { readonly node?: readonly string[]; readonly dom?: readonly string[] };
}

const areas: Readonly<Record<string, Area>> = {
  access: {
    mutate: ['src/server/lib/access/*.ts'],
    tests: {
      node: [
        'test/server/{createNodeHandler,identity,hostFailures,batch,limits}.test.ts',
        'test/faults/crossSite.test.ts',
      ],
    },
  },
  keys: { mutate: ['src/server/lib/keys/*.ts'], tests: { node: ['test/{server,express}/**/*.test.ts'] } },
  limits: {
    mutate: ['src/server/lib/limits/*.ts'],
    tests: { node: ['test/server/{createLimits,limits,sharedLimiter,options}.test.ts'] },
  },
  secrets: {
    mutate: [
      'src/portal-client/lib/embedding/{parseSecrets,secretRing}.ts',
      'src/portal-client/lib/{maskSecrets,http/createRedactor}.ts',
    ],
    tests: { node: ['test/portal-client/{embedding/*,options}.test.ts', 'test/faults/secrets.test.ts'] },
  },
  receiver: {
    mutate: ['src/actions/lib/receive/*.ts'],
    tests: { node: ['test/{actions,express/actions}/**/*.test.ts'] },
  },
  session: {
    mutate: ['src/react/lib/session/*.ts'],
    tests: {
      node: ['test/react/life/**/*.test.ts', 'test/regressions/**/*.test.ts'],
      dom: ['test/react/**/*.test.{ts,tsx}', 'test/regressions/**/*.test.tsx'],
    },
  },
  rows: {
    mutate: ['src/portal/lib/report/rowRules.ts'],
    tests: { node: ['test/portal/{rowLevelSecurity,profiles,encryptedKey}.test.ts'] },
  },
};

/** Least share of changes that a test notices, in percent. */
const goal = 90;

const [chosen] = process.argv.slice(2);
const scores: string[] = [];
let isReached = true;
for (const [name, { mutate, tests }] of Object.entries(areas)) {
  if (chosen !== undefined && chosen !== name) continue;
  process.env['VITRINE_MUTATION_TESTS'] = JSON.stringify(tests);
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
    vitest: { configFile: 'vite.config.ts', related: false },
    mutate: [...mutate],
    inPlace: true,
    // Vitest does not check types.
    disableTypeChecks: false,
    // It would be read with TypeScript's API, which version 7 does not have.
    tsconfigFile: 'none',
    coverageAnalysis: 'perTest',
    concurrency: 1,
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 30,
    reporters: ['clear-text'],
    clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: false },
    tempDirName: 'node_modules/.cache/stryker',
  }).runMutationTest();
  // What the runner for Vitest leaves behind.
  for (const file of globSync('stryker-setup-*.js')) rmSync(file);
  const judged = results.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError');
  const noticed = judged.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const percent = Math.floor((noticed / judged.length) * 100);
  isReached &&= percent >= goal;
  scores.push(`${name}: ${percent} % (${noticed} of ${judged.length})`);
}
process.stdout.write(`${scores.join('\n')}\n`);
process.exitCode = isReached ? 0 : 1;
