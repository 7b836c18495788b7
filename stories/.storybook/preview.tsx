import { DocsContainer, type DocsContainerProps } from '@storybook/addon-docs/blocks';
import type { Preview } from '@storybook/react-vite';
import type { PropsWithChildren } from 'react';
import { themes } from 'storybook/theming';
import '@vitrine/react/styles.css';
import '../scene/host.css';
import './preview.css';
import '../manual/manual.css';
import { Search } from '../manual/Search.tsx';
import { onStage } from '../scene/onStage.tsx';
import { shownCode } from '../scene/shownCode.ts';
import { readableTypes } from './readableTypes.ts';

const theme = themes[matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'];

/** Pages and stories follow the color scheme of the system. */
const preview: Preview = {
  parameters: {
    layout: 'padded',
    a11y: { test: 'error' },
    controls: { expanded: true, sort: 'requiredFirst', matchers: { date: /Date$/ } },
    docs: {
      source: { type: 'dynamic', transform: shownCode },
      container: ({ children, ...props }: PropsWithChildren<DocsContainerProps>) => (
        <DocsContainer {...props} theme={theme}>
          <Search />
          <main>{children}</main>
        </DocsContainer>
      ),
      controls: { sort: 'requiredFirst' },
      toc: { headingSelector: 'h2, h3' },
    },
    // Omit spies, which are for tests, and undefined props.
    jsx: { filterProps: (value: unknown, name: string) => value !== undefined && !/^on[A-Z]/.test(name) },
  },
  argTypesEnhancers: [readableTypes],
  loaders: onStage.loaders,
  beforeEach: onStage.beforeEach,
  decorators: [
    ...onStage.decorators,
    (Story) => (
      <div className="host-page">
        <Story />
      </div>
    ),
  ],
};

export default preview;
