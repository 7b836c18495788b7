import { EmbeddedReport, type EmbeddedReportProps, EmbedProvider } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';
import { useEffect, useState } from 'react';

/** Shows the page that `recordReport.ts` kept of a running portal, and says so. */
export const RecordedReport = (props: EmbeddedReportProps) => {
  const [page, setPage] = useState<string>();
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
      {page !== undefined && <Replayed page={page} {...props} />}
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
