import type { Preview } from '@storybook/react-vite';
import { useEffect } from 'react';
import '@vitrine/react/styles.css';
import './preview.css';
import { readableTypes } from './readableTypes.ts';

/** The theme that the toolbar chose, written where the page of a host app would write it. */
const preview: Preview = {
  tags: ['autodocs'],
  parameters: {
    layout: 'padded',
    a11y: { test: 'error' },
    controls: { expanded: true, sort: 'requiredFirst', matchers: { date: /Date$/ } },
    docs: { controls: { sort: 'requiredFirst' } },
    options: { storySort: { method: 'alphabetical', order: ['Overview', 'Embedded report'] } },
  },
  globalTypes: {
    theme: {
      description: 'Colour scheme of the page around the report',
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
  initialGlobals: { theme: 'light' },
  decorators: [
    (Story, { globals }) => {
      const theme = globals['theme'] === 'dark' ? 'dark' : 'light';
      useEffect(() => {
        document.documentElement.dataset['theme'] = theme;
        document.documentElement.style.colorScheme = theme;
      }, [theme]);
      return <Story />;
    },
  ],
};

export default preview;
