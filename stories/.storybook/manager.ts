import { addons } from 'storybook/manager-api';
import { themes } from 'storybook/theming';

const base = matchMedia('(prefers-color-scheme: dark)').matches ? themes.dark : themes.light;
addons.setConfig({ theme: { ...base, brandTitle: 'Vitrine', brandUrl: './', brandImage: null } });

/** Storybook names itself in the title of every page. */
const nameSite = (): void => {
  const named = document.title
    .replace(/(?: - Docs)? ⋅ Storybook$/, ' · Vitrine')
    .replace(/^Storybook$/, 'Vitrine');
  if (named !== document.title) document.title = named;
};
new MutationObserver(nameSite).observe(document.head, {
  childList: true,
  characterData: true,
  subtree: true,
});
