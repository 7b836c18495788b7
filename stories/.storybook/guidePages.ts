import { referenceEntries } from '../../scripts/reference/referenceEntries.ts';

/** A Markdown file of the repository that becomes a page of the manual. */
export interface GuidePage {
  readonly file: string;
  /** Position and name in the sidebar. */
  readonly title: string;
}

/** All pages of the manual from the repository, in sidebar order. */
export const guidePages: readonly GuidePage[] = [
  { file: 'docs/guides/start.md', title: 'Start/Five minutes' },
  { file: 'docs/guides/which-portal.md', title: 'Start/Which portal' },
  { file: 'docs/guides/evaluate.md', title: 'Start/Evaluate Vitrine' },
  { file: 'docs/guides/how-it-works.md', title: 'Start/How it works' },
  { file: 'docs/guides/nextjs.md', title: 'Start/Next.js' },
  { file: 'docs/guides/react-router.md', title: 'Start/React Router' },
  { file: 'docs/guides/tanstack-start.md', title: 'Start/TanStack Start' },
  { file: 'docs/guides/hono.md', title: 'Start/Hono' },
  { file: 'docs/guides/fastify.md', title: 'Start/Fastify' },
  { file: 'docs/guides/coming-from.md', title: 'Start/Coming from another SDK' },
  { file: 'docs/components/embedded-report.md', title: 'Components/EmbeddedReport' },
  { file: 'docs/components/embed-provider.md', title: 'Components/EmbedProvider' },
  { file: 'docs/components/theming.md', title: 'Components/Theming' },
  { file: 'docs/components/labels.md', title: 'Components/Labels' },
  { file: 'docs/components/accessibility.md', title: 'Components/Accessibility' },
  { file: 'docs/components/testing.md', title: 'Components/Testing' },
  { file: 'docs/components/use-embedded-report.md', title: 'Hooks/useEmbeddedReport' },
  { file: 'docs/components/use-report-actions.md', title: 'Hooks/useReportActions' },
  { file: 'docs/components/report-picker.md', title: 'Components/ReportPicker' },
  { file: 'docs/components/use-prefetch-report.md', title: 'Hooks/usePrefetchReport' },
  { file: 'docs/guides/react.md', title: 'Guides/Reports in a React app' },
  { file: 'docs/guides/layouts.md', title: 'Guides/Layouts' },
  { file: 'docs/guides/renewal.md', title: 'Guides/What a viewer loses at a renewal' },
  { file: 'docs/guides/signed-in-person.md', title: 'Guides/When the signed-in person changes' },
  { file: 'docs/guides/server-rendering.md', title: 'Guides/Server rendering and caching' },
  { file: 'docs/guides/performance.md', title: 'Guides/Performance' },
  { file: 'docs/guides/security.md', title: 'Guides/Security model' },
  { file: 'docs/guides/row-level-security.md', title: 'Guides/Row-level security' },
  { file: 'docs/guides/content-security-policy.md', title: 'Guides/Content Security Policy' },
  { file: 'docs/guides/clicks.md', title: 'Guides/Clicks that reach your app' },
  { file: 'docs/guides/key-endpoint.md', title: 'Guides/The key endpoint' },
  { file: 'docs/guides/production.md', title: 'Guides/Production with a real portal' },
  { file: 'docs/guides/deployment.md', title: 'Guides/Deployment' },
  { file: 'docs/guides/idle-sign-out.md', title: 'Guides/Idle sign-out' },
  { file: 'docs/guides/monitoring.md', title: 'Guides/Monitoring' },
  { file: 'docs/guides/development.md', title: 'Guides/Developing and testing' },
  { file: 'docs/guides/user-sync.md', title: 'Guides/Syncing users' },
  { file: 'docs/guides/portal-client.md', title: 'Guides/The portal client' },
  { file: 'docs/guides/cli.md', title: 'Guides/The command line' },
  { file: 'docs/guides/troubleshooting.md', title: 'Guides/Troubleshooting' },
  { file: 'docs/errors.md', title: 'Reference/Errors' },
  { file: 'docs/interface.md', title: 'Reference/Interface of the portal' },
  { file: 'docs/gaps.md', title: 'Reference/Gaps in the interface' },
  { file: 'docs/conformance.md', title: 'Reference/Conformance' },
  { file: 'docs/versions.md', title: 'Reference/Versions' },
  { file: 'docs/comparison.md', title: 'Reference/Comparison' },
  { file: 'docs/portal-modes.md', title: 'Quality/Portal modes' },
  { file: 'docs/engines.md', title: 'Quality/Browser engines' },
  { file: 'docs/hosts.md', title: 'Quality/Hosts' },
  { file: 'docs/figures.md', title: 'Quality/Figures' },
];

/** The pages that `npm run build:reference` writes, mostly from docstrings. */
export const referencePages: readonly GuidePage[] = [
  { file: 'docs/reference/vitrine.md', title: 'Reference/Commands of vitrine' },
  ...referenceEntries.map(({ name }) => ({
    file: `docs/reference/${name}.md`,
    title: `API/${name.replace('@vitrine/', '').replace('/', ' ')}`,
  })),
];
