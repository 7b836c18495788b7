import type { StorybookConfig } from '@storybook/react-vite';
import { defaultClientConditions } from 'vite';
import { manualFiles } from './manualFiles.ts';
import { writeGuidePages } from './writeGuidePages.ts';

writeGuidePages();

const config: StorybookConfig = {
  // The generated pages are numbered in the order of the sidebar.
  stories: ['../Vitrine.mdx', '../.generated/*.mdx', '../*.stories.tsx'],
  staticDirs: ['./public', { from: '../../docs/pictures', to: '/pictures' }],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y', '@storybook/addon-vitest'],
  framework: { name: '@storybook/react-vite', options: {} },
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  typescript: { reactDocgen: 'react-docgen' },
  viteFinal: (vite) => ({
    ...vite,
    plugins: [...(vite.plugins ?? []), manualFiles()],
    // Storybook's own conditions replace the workspace's: otherwise a build would use an outdated dist, or none.
    resolve: {
      ...vite.resolve,
      conditions: ['@vitrine/source', ...(vite.resolve?.conditions ?? defaultClientConditions)],
    },
  }),
};

export default config;
