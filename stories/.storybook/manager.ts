import { GLOBALS_UPDATED, SET_GLOBALS } from 'storybook/internal/core-events';
import { addons } from 'storybook/manager-api';
import { themes } from 'storybook/theming';

// Storybook would open with the first page that has no group, which is the search.
if (!new URLSearchParams(location.search).has('path'))
  history.replaceState(null, '', './?path=/docs/start-five-minutes--docs');

// Storybook goes once more to the heading that an address names: Back would stay on that page.
const pushState = history.pushState.bind(history);
history.pushState = (state, unused, url) => {
  const isHere = new URL(url ?? '', location.href).href === location.href;
  (isHere ? history.replaceState.bind(history) : pushState)(state, unused, url);
};

const themeOf = (isDark: boolean) => ({
  ...(isDark ? themes.dark : themes.light),
  brandTitle: 'Vitrine',
  brandUrl: './',
  brandImage: null,
});

addons.setConfig({ theme: themeOf(matchMedia('(prefers-color-scheme: dark)').matches) });

/** What stands around a page has the theme that the toolbar chose for it. */
addons.register('vitrine/theme', (api) => {
  for (const type of [SET_GLOBALS, GLOBALS_UPDATED])
    api.on(type, ({ globals }: { globals: Record<string, unknown> }) =>
      api.setOptions({ theme: themeOf(globals['theme'] === 'dark') }),
    );
});

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
