import type { Preview } from '@storybook/react-vite';
import '@vitrine/react/styles.css';
import '../scene/host.css';
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
    // Within a group, pages keep the order of guidePages.ts.
    options: {
      storySort: {
        order: [
          'Vitrine',
          'Start',
          'Components',
          ['EmbeddedReport', '*'],
          'Hooks',
          'Guides',
          'Reference',
          'Quality',
          'API',
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
