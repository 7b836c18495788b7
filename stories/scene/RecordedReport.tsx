import { EmbeddedReport, type EmbeddedReportProps, EmbedProvider } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type Theme, themeStore } from '../.storybook/theme.ts';

/** Applies the manual's theme to the page, which uses the system's theme. There may be no space after `@media`. */
const themed = (page: string, theme: Theme): string =>
  page
    .replaceAll(/\(prefers-color-scheme:\s*dark\)/g, theme === 'dark' ? ' all' : ' not all')
    .replaceAll(/color-scheme:\s*light dark/g, `color-scheme:${theme}`);

/** Shows the page that `recordReport.ts` recorded, labeled as a recording. */
export const RecordedReport = (props: EmbeddedReportProps) => {
  const [page, setPage] = useState<string>();
  const theme = useSyncExternalStore(themeStore.subscribe, themeStore.getSnapshot);
  useEffect(() => {
    const read = async () => setPage(await (await fetch('recorded-report.html')).text());
    void read();
  }, []);
  return (
    <>
      <p className="host-muted">
        A recording: the page of a development portal, kept when this manual was built. Its filters work;
        clicks go nowhere. Run <code>npm run storybook</code> in a clone of the repository to see it with a
        portal behind it.
      </p>
      {page !== undefined && <Replayed key={theme} page={themed(page, theme)} {...props} />}
    </>
  );
};

const Replayed = ({ page, ...props }: EmbeddedReportProps & { readonly page: string }) => {
  const [fake] = useState(() => createFakeEmbed({ page: () => page }));
  useEffect(() => () => fake.close(), [fake]);
  return (
    <EmbedProvider {...fake.provider}>
      {/* A concealed address is never fetched, so the recording has no race with a name that nobody resolves. */}
      <EmbeddedReport {...props} concealKey />
    </EmbedProvider>
  );
};
