import { DocsContainer, type DocsContainerProps } from '@storybook/addon-docs/blocks';
import { type PropsWithChildren, useSyncExternalStore } from 'react';
import { themes } from 'storybook/theming';
import { themeStore } from './theme.ts';

/** A page of documentation in the theme of the toolbar. */
export const ThemedDocs = (props: PropsWithChildren<DocsContainerProps>) => {
  const theme = useSyncExternalStore(themeStore.subscribe, themeStore.getSnapshot);
  return (
    <DocsContainer {...props} theme={themes[theme]}>
      <main>{props.children}</main>
    </DocsContainer>
  );
};
