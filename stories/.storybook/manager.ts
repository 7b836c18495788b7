import { addons } from 'storybook/manager-api';
import { themes } from 'storybook/theming';

// Storybook navigates again to the heading in the URL, so Back would stay on that page.
const pushState = history.pushState.bind(history);
history.pushState = (state, unused, url) => {
  const isHere = new URL(url ?? '', location.href).href === location.href;
  (isHere ? history.replaceState.bind(history) : pushState)(state, unused, url);
};

const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
addons.setConfig({
  theme: {
    ...(isDark ? themes.dark : themes.light),
    brandTitle: 'Vitrine',
    brandUrl: './',
    brandImage: isDark ? './pictures/logo-dark.svg' : './pictures/logo-light.svg',
    colorPrimary: isDark ? '#94a8ff' : '#3451d1',
    colorSecondary: isDark ? '#94a8ff' : '#3451d1',
    appBg: isDark ? '#101318' : '#f6f7f9',
    appContentBg: isDark ? '#181c23' : '#ffffff',
    barBg: isDark ? '#181c23' : '#ffffff',
  },
});
