import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { startVitest, type TestModule } from 'vitest/node';
import { fromRoot } from '../vite/fromRoot.ts';
import type { Coverage } from './changedRun.ts';

/** Decision logic, and the tests that must notice a change to it. */
export interface Area {
  readonly mutate: readonly string[];
  /** By Vitest project. */
  readonly tests: { readonly node?: readonly string[]; readonly dom?: readonly string[] };
}

/** The result of one change. */
export interface MutationResult {
  readonly area: string;
  readonly kind: 'noticed' | 'timed out' | 'crashed' | 'survived' | 'not met';
  readonly change: string;
}

type Project = keyof Area['tests'];
type Mutant = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number];

const folder = fromRoot('test/.mutation');
const harness = fromRoot('scripts/mutation/changedRun.ts');
/** A change that runs this many times more often than before has caused an endless loop. */
const hitFactor = 100;
const minHits = 10_000;
const timeoutMs = 30_000;

const silent = () => undefined;
const off = () => false;
const logger = {
  isTraceEnabled: off,
  isDebugEnabled: off,
  isInfoEnabled: off,
  isWarnEnabled: off,
  isErrorEnabled: off,
  isFatalEnabled: off,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

const describeMutant = ({ fileName, location, mutatorName, replacement }: Mutant): string =>
  `${fileName.replace(fromRoot(''), '').replace(/^\//, '')}:${location.start.line + 1}:${location.start.column + 1} ` +
  `${mutatorName}: ${replacement.replace(/\s+/g, ' ')}`;

/** Runs one Vitest file per entry, named after the entry, in workers that keep loaded modules. */
const runFiles = async (
  project: Project,
  contents: ReadonlyMap<string, string>,
  onEnd: (name: string, module: TestModule) => void,
): Promise<void> => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of contents) writeFileSync(`${folder}/${name}.test.ts`, text);
  process.env['VITEST'] = 'true';
  // The decision logic is the same on both databases, and one takes half the time.
  process.env['VITRINE_TEST_POSTGRES'] = 'postgres://127.0.0.1:9/none';
  process.env['VITRINE_MUTATION_TESTS'] = JSON.stringify({ [project]: ['test/.mutation/*.test.ts'] });
  const vitest = await startVitest('test', [], {
    config: fromRoot('vite.config.ts'),
    watch: false,
    // Most workers may be waiting for a time to be up.
    maxWorkers: 6,
    // A change that fills the memory is to end its own worker, and soon.
    execArgv: ['--max-old-space-size=1024'],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    reporters: [
      {
        onTestModuleEnd: (module) =>
          onEnd(module.moduleId.replace(/^.*\//, '').replace('.test.ts', ''), module),
      },
    ],
  });
  await vitest.close();
  // Failing tests are the goal here.
  process.exitCode = 0;
};

const errorsOf = (module: TestModule): string[] => [
  ...module.errors().map(({ message }) => message),
  ...[...module.children.allSuites()].flatMap((suite) => suite.errors().map(({ message }) => message)),
  ...[...module.children.allTests('failed')].flatMap((test) =>
    (test.result().errors ?? []).map(({ message }) => message),
  ),
];

const loads = (files: readonly string[]): string =>
  `{ ${files.map((file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(fromRoot(file))})`).join(', ')} }`;

const measureFiles = async (project: Project, files: readonly string[]): Promise<Map<string, Coverage>> => {
  const coverages = new Map<string, Coverage>();
  const contents = new Map(
    files.map((file, index) => [
      `file${index}`,
      `import { measure } from ${JSON.stringify(harness)};\nmeasure(${loads([file])}, ${JSON.stringify(`${folder}/file${index}.json`)});\n`,
    ]),
  );
  const problems: string[] = [];
  await runFiles(project, contents, (name, module) => {
    const file = files[Number(name.replace('file', ''))] ?? name;
    if (module.state() !== 'passed') problems.push(`${file}: ${errorsOf(module).join('\n')}`);
    else coverages.set(file, JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8')) as Coverage);
  });
  // Vitest ignores what a reporter throws.
  if (problems.length > 0) throw new Error(`Tests fail on unchanged code.\n${problems.join('\n')}`);
  return coverages;
};

/**
 * The tests that reach a change, or all tests of their files: code may run once and be remembered for later tests. A
 * change that hooks reach needs all of them.
 */
const contentFor = (
  { id }: Mutant,
  coverages: ReadonlyMap<string, Coverage>,
  which: 'reaching' | 'all',
): string | undefined => {
  const files: string[] = [];
  const wanted: string[] = [];
  let hits = 0;
  for (const [file, coverage] of coverages) {
    const tests = Object.entries(coverage.perTest).filter(([, met]) => id in met);
    hits += (coverage.static[id] ?? 0) + tests.reduce((sum, [, met]) => sum + (met[id] ?? 0), 0);
    const isShared = id in coverage.static;
    if (!isShared && tests.length === 0) continue;
    files.push(file);
    wanted.push(
      ...(isShared || which === 'all' ? Object.keys(coverage.perTest) : tests.map(([test]) => test)),
    );
  }
  if (files.length === 0) return undefined;
  const plan = { id, hitLimit: minHits + hits * hitFactor, wanted };
  return `import { change } from ${JSON.stringify(harness)};\nchange(${loads(files)}, ${JSON.stringify(plan)});\n`;
};

/** Makes the chosen changes of some areas, one at a time, and reports whether a test of its area notices it. */
export const mutateAreas = async (
  areas: ReadonlyMap<string, Area>,
  isChosen: (change: string, index: number) => boolean,
  onResult: (result: MutationResult) => void,
): Promise<void> => {
  const areaOf = new Map<string, readonly [string, Area]>();
  for (const entry of areas)
    for (const file of globSync([...entry[1].mutate])) areaOf.set(fromRoot(file), entry);
  const originals = new Map([...areaOf.keys()].map((file) => [file, readFileSync(file, 'utf8')]));
  const restore = (): void => {
    for (const [file, text] of originals) writeFileSync(file, text);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', restore);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const { files, mutants } = await new Instrumenter(logger).instrument(
    [...originals].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  for (const { name, content } of files) writeFileSync(name, content);

  const left = new Map(
    mutants
      .filter((mutant) => mutant.status === undefined && isChosen(describeMutant(mutant), Number(mutant.id)))
      .map((mutant) => [mutant.id, mutant]),
  );
  const met = new Set<string>();
  const conclude = (mutant: Mutant, kind: MutationResult['kind']): void => {
    left.delete(mutant.id);
    onResult({ area: areaOf.get(mutant.fileName)?.[0] ?? '', kind, change: describeMutant(mutant) });
  };
  const run = async (project: Project, contents: ReadonlyMap<string, string>): Promise<void> => {
    const ended = new Set<string>();
    await runFiles(project, contents, (id, module) => {
      ended.add(id);
      const mutant = left.get(id);
      if (mutant && module.state() === 'failed')
        conclude(
          mutant,
          errorsOf(module).every((message) => /timed out/.test(message)) ? 'timed out' : 'noticed',
        );
    });
    for (const id of contents.keys()) {
      met.add(id);
      const mutant = left.get(id);
      // A file has no result when its worker ended because an endless loop used up its memory.
      if (mutant && !ended.has(id)) conclude(mutant, 'crashed');
    }
  };
  const coveragesOf = new Map<Project, ReadonlyMap<string, Coverage>>();
  const tried = new Set<string>();
  for (const which of ['reaching', 'all'] as const)
    for (const project of ['node', 'dom'] as const) {
      const testsOf = new Map(
        [...areas.values()].map((area) => [area, globSync([...(area.tests[project] ?? [])]).sort()]),
      );
      const testFiles = [...new Set([...testsOf.values()].flat())];
      if (testFiles.length === 0) continue;
      const coverages = coveragesOf.get(project) ?? (await measureFiles(project, testFiles));
      coveragesOf.set(project, coverages);
      const contents = new Map<string, string>();
      for (const mutant of left.values()) {
        const [, area] = areaOf.get(mutant.fileName) ?? [];
        if (!area) continue;
        const own = testsOf.get(area) ?? [];
        const ofArea = new Map([...coverages].filter(([file]) => own.includes(file)));
        const content = contentFor(mutant, ofArea, which);
        if (content === undefined || tried.has(content)) continue;
        tried.add(content);
        contents.set(mutant.id, content);
      }
      if (contents.size > 0) await run(project, contents);
    }
  for (const mutant of left.values()) conclude(mutant, met.has(mutant.id) ? 'survived' : 'not met');
  restore();
  process.off('exit', restore);
};
