import { configDefaults, type TestProjectInlineConfiguration } from 'vitest/config';

interface SlowTests {
  /** What they add, for the message of `npm test`. */
  readonly what: string;
  readonly files?: readonly string[];
  /** Projects of `vite.config.ts`. */
  readonly projects?: readonly string[];
}

/**
 * The tests that `npm test` leaves to `npm test -- --all`, which CI and releases run. They repeat promises in more
 * surroundings: they take long, and rarely fail alone.
 */
export const slowTests: readonly SlowTests[] = [
  // By test/browsers/engines/checks.ts.
  { what: 'Firefox and WebKit' },
  // By scripts/verify.ts.
  { what: 'React 18' },
  { what: 'every story, with its accessibility', projects: ['storybook'] },
  {
    what: 'packed packages in apps other than the README example',
    files: [
      'test/packages/singlePageApp.test.ts',
      'test/packages/browserBuilds.test.ts',
      'test/packages/expressApps.test.ts',
      'test/packages/installedPackages.test.ts',
      'test/packages/react18App.test.ts',
      'test/packages/resolvers.test.ts',
      'test/packages/starters.test.ts',
    ],
  },
  { what: 'hosts with a strict policy', files: ['test/browsers/strictHost.test.ts'] },
  {
    what: 'every page of the manual, of the portal and of its console',
    files: [
      'test/browsers/accessibility.test.ts',
      'test/browsers/console.test.ts',
      'test/browsers/consoleSize.test.ts',
      'test/browsers/manual.test.ts',
      'test/browsers/portalPages.test.ts',
    ],
  },
  {
    what: 'the developer tools and the Vite plugin in a browser',
    files: ['test/browsers/devtools.test.ts', 'test/browsers/vitePlugin.test.ts'],
  },
  {
    what: 'conformance of foreign and of broken portals',
    files: ['test/conformance/controls/*.test.ts', 'test/conformance/foreign.test.ts'],
  },
];

const leftOutFiles = slowTests.flatMap(({ files = [] }) => files);
const leftOutProjects = new Set(slowTests.flatMap(({ projects = [] }) => projects));

/** The Vitest projects without them. The option `--exclude` of Vitest has no effect on a project with its own `exclude`. */
export const withoutSlowTests = (
  projects: readonly TestProjectInlineConfiguration[],
): readonly TestProjectInlineConfiguration[] =>
  projects
    .filter(({ test }) => typeof test?.name !== 'string' || !leftOutProjects.has(test.name))
    .map((project) => ({
      ...project,
      test: {
        ...project.test,
        exclude: [...(project.test?.exclude ?? configDefaults.exclude), ...leftOutFiles],
      },
    }));
