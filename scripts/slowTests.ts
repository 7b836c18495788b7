import { configDefaults, type TestProjectInlineConfiguration } from 'vitest/config';

interface SlowTests {
  /** What they add, for the message of `npm test`. */
  readonly what: string;
  readonly files?: readonly string[];
  /** Projects of `test/projects.ts`. */
  readonly projects?: readonly string[];
}

/**
 * The tests that `npm test` leaves to `npm test -- --all`, which CI and releases run. They repeat promises in more
 * surroundings: they take long, and rarely fail alone.
 */
export const slowTests: readonly SlowTests[] = [
  // By test/browser/engines/checks.ts.
  { what: 'Firefox and WebKit' },
  { what: 'React 18 and the React Compiler', projects: ['dom-react-18', 'dom-compiled'] },
  { what: 'every story, with its accessibility', projects: ['storybook'] },
  {
    what: 'packed packages in apps other than the README example',
    files: [
      'test/hosts/singlePageApp.test.ts',
      'test/packaging/browserBuilds.test.ts',
      'test/packaging/expressApps.test.ts',
      'test/packaging/installedPackages.test.ts',
      'test/packaging/react18App.test.ts',
      'test/packaging/resolvers.test.ts',
      'test/packaging/starters.test.ts',
    ],
  },
  { what: 'hosts with a strict policy', files: ['test/browser/strictHost.test.ts'] },
  {
    what: 'every page of the manual, of the portal and of its console',
    files: [
      'test/browser/accessibility.test.ts',
      'test/browser/console.test.ts',
      'test/browser/consoleSize.test.ts',
      'test/browser/manual.test.ts',
      'test/browser/portalPages.test.ts',
    ],
  },
  {
    what: 'the developer tools and the Vite plugin in a browser',
    files: ['test/browser/devtools.test.ts', 'test/browser/vitePlugin.test.ts'],
  },
  {
    what: 'conformance of foreign and of broken portals',
    files: ['test/conformance/controls.test.ts', 'test/conformance/foreign.test.ts'],
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
