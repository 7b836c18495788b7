import type { Preview } from '@storybook/react-vite';
import '@vitrine/react/styles.css';
import './preview.css';
import '../manual/manual.css';
import { onStage } from '../scene/onStage.tsx';
import { shownCode } from '../scene/shownCode.ts';
import { readableTypes } from './readableTypes.ts';
import { ThemedDocs } from './ThemedDocs.tsx';
import { preferredTheme, toTheme } from './theme.ts';

/** Applies the theme of the toolbar as the page of a host app would. */
const preview: Preview = {
  parameters: {
    layout: 'padded',
    a11y: { test: 'error' },
    controls: { expanded: true, sort: 'requiredFirst', matchers: { date: /Date$/ } },
    docs: {
      source: { type: 'dynamic', transform: shownCode },
      container: ThemedDocs,
      controls: { sort: 'requiredFirst' },
      toc: { headingSelector: 'h2, h3' },
    },
    // Omit spies, which are for tests, and undefined props.
    jsx: { filterProps: (value: unknown, name: string) => value !== undefined && !/^on[A-Z]/.test(name) },
    options: {
      storySort: {
        order: [
          'Start',
          ['Five minutes', 'How it works', 'Next.js', 'React Router', 'TanStack Start', 'Hono', 'Fastify'],
          'Search',
          'Components',
          [
            'EmbeddedReport',
            ['Docs', '*', 'States', 'Live'],
            'EmbedProvider',
            'Theming',
            'Labels',
            'Accessibility',
            'Testing',
          ],
          'Hooks',
          'Guides',
          [
            'Reports in a React app',
            'When the signed-in person changes',
            'Idle sign-out',
            'Server rendering and caching',
            'Performance',
            'Security model',
            'Row-level security',
            'Content Security Policy',
            'Clicks that reach your app',
            'The key endpoint',
            'Deployment',
            'Monitoring',
            'Developing and testing',
            'Syncing users',
            'The portal client',
            'The command line',
            'Troubleshooting',
          ],
          'Reference',
          [
            'Errors',
            'Commands of vitrine',
            'npm create vitrine',
            'Labels in every language',
            'Versions',
            'Changes',
            'Hosts',
            'Browser engines',
            'Comparison',
            'Figures',
          ],
          'API',
          [
            'react',
            'react *',
            'express',
            'server',
            'actions',
            'portal-client',
            'vite',
            'portal',
            'portal *',
            'contract',
          ],
        ],
      },
    },
  },
  globalTypes: {
    theme: {
      description: 'Color scheme of the page around the report',
      toolbar: {
        title: 'Theme',
        dynamicTitle: true,
        items: [
          { value: 'light', icon: 'sun', title: 'Light' },
          { value: 'dark', icon: 'moon', title: 'Dark' },
        ],
      },
    },
  },
  argTypesEnhancers: [readableTypes],
  initialGlobals: { theme: preferredTheme() },
  loaders: onStage.loaders,
  beforeEach: onStage.beforeEach,
  decorators: [
    ...onStage.decorators,
    (Story, { globals }) => (
      <div className="host-page" data-theme={toTheme(globals['theme'])}>
        <Story />
      </div>
    ),
  ],
};

export default preview;
