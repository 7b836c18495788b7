import { EmbeddedReport, useEmbeddedReport } from '@vitrine/react';

/** A report without our styles. */
const Headless = () => {
  const { root, frames, state } = useEmbeddedReport(1042);
  return (
    <div ref={root} data-state={state.status}>
      {frames.map(({ id, props }) => (
        <iframe key={id} title="Sales" {...props} />
      ))}
    </div>
  );
};

const reports = {
  component: () => <EmbeddedReport itemId={1042} title="Sales" onAction={() => {}} />,
  hook: () => <Headless />,
};
export type Wish = keyof typeof reports;

/** The component that is being edited. */
export const Host = ({ wish }: { readonly wish: string }) => (
  <main>
    <h1>Sales as they were</h1>
    {reports[wish as Wish]()}
  </main>
);
