/**
 * Mutation tests: makes one small change at a time to decision logic, and counts the changes that a test notices:
 * `npm run test:mutation` for every area, `npm run test:mutation access keys` for two,
 * `npm run test:mutation keys -- --every 5` for every fifth change, `npm run test:mutation keys -- --again keys.log` for
 * those that an earlier run with the output `keys.log` did not notice. Needs an otherwise unchanged work tree, which it
 * changes and restores.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Area, type MutationResult, mutateAreas } from './mutation/mutateAreas.ts';

const areas: Readonly<Record<string, Area>> = {
  access: {
    mutate: ['src/server/lib/access/*.ts'],
    tests: {
      node: [
        'test/server/{createNodeHandler,identity,hostFailures,batch,limits}.test.ts',
        'test/express/vitrine.test.ts',
        'test/faults/crossSite.test.ts',
      ],
    },
  },
  keys: {
    mutate: ['src/server/lib/keys/*.ts'],
    tests: {
      node: [
        'test/server/{createNodeHandler,identity,hostFailures,batch,limits,operations,upstream,telemetry}.test.ts',
      ],
    },
  },
  limits: {
    mutate: ['src/server/lib/limits/*.ts'],
    tests: { node: ['test/server/{createLimits,limits,sharedLimiter,options}.test.ts'] },
  },
  secrets: {
    mutate: [
      'src/portal-client/lib/embedding/{parseSecrets,secretRing}.ts',
      'src/portal-client/lib/{createSecretMask,http/createRedactor}.ts',
    ],
    tests: { node: ['test/portal-client/{embedding/*,options}.test.ts', 'test/server/options.test.ts'] },
  },
  receiver: {
    mutate: ['src/actions/lib/receive/*.ts'],
    tests: {
      node: [
        'test/express/actions/{actionWebhook,secretsAway}.test.ts',
        'test/actions/{createActionFetchHandler,options,receiver,shutdown,hostileBodies,secretsInMessages}.test.ts',
      ],
    },
  },
  session: {
    mutate: ['src/react/lib/session/*.ts'],
    tests: {
      // Without the longest simulations: they prove figures, and notice no change that these miss.
      node: [
        'test/react/session/{batchKeys,clock,hardSleeps,keySession,lateAnswers,planNextStep,restartedSession}.test.ts',
        'test/regressions/keyLifecycle.test.ts',
      ],
      dom: [
        'test/react/{embeddedReport,keyInTheCache,outages,prefetch,realClock,renewal,states,warmUp}.test.tsx',
      ],
    },
  },
  rows: {
    mutate: ['src/portal/lib/report/rowRules.ts'],
    tests: { node: ['test/portal/rowLevelSecurity.test.ts'] },
  },
  audit: {
    mutate: [
      'src/portal/lib/audit/{auditQuery,parseDateRange,readAuditPage,recordedChange,writeAuditRecord}.ts',
    ],
    tests: { node: ['test/portal/{auditEvents,auditOrder,documentation,parseDateRange}.test.ts'] },
  },
  inbox: {
    mutate: ['src/actions/lib/inbox/{sql,spill}/*.ts'],
    // Its suite runs in a thread and without one; only the latter shows which test reaches which change.
    tests: {
      node: ['test/actions/{sqliteInbox,keepHandled,longOutage,onceOrMore,createSpillFolder}.test.ts'],
    },
  },
};

/** Minimum share of changes that a test notices, in percent. */
const goal = 90;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'string', default: '1' }, again: { type: 'string' } },
});
const every = Number(values.every);
const unnoticed =
  values.again === undefined
    ? undefined
    : new Set(
        [...readFileSync(values.again, 'utf8').matchAll(/(?:survived|not met): (.*)/g)].map(
          ([, change]) => change,
        ),
      );
const chosen = new Map(
  Object.entries(areas).filter(([name]) => positionals.length === 0 || positionals.includes(name)),
);
const kinds = new Map<string, MutationResult['kind'][]>([...chosen.keys()].map((name) => [name, []]));
const isChosen = (change: string, index: number): boolean =>
  index % every === 0 && (unnoticed?.has(change) ?? true);
await mutateAreas(chosen, isChosen, ({ area, kind, change }) => {
  kinds.get(area)?.push(kind);
  process.stdout.write(`${kind}: ${change}\n`);
});
for (const [name, all] of kinds) {
  const noticed = all.filter((kind) => kind !== 'survived' && kind !== 'not met').length;
  const percent = Math.floor((noticed / all.length) * 100);
  if (percent < goal) process.exitCode = 1;
  process.stdout.write(`${name}: ${percent} % (${noticed} of ${all.length})\n`);
}
