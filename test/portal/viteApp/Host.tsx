import { EmbeddedReport, useEmbeddedReport } from '@vitrine/react';
import { useState } from 'react';

/** A report without our component. */
const Headless = () => {
  const { root, frames, state } = useEmbeddedReport(1042);
  return (
    <div ref={root} data-state={state.status}>
      {frames.map(({ id, props }) => (
        <iframe key={id} title="Sales by region" {...props} />
      ))}
    </div>
  );
};

/** The component that a developer edits while it runs. */
export const Host = ({ isHeadless }: { readonly isHeadless: boolean }) => {
  const [clicked, setClicked] = useState('nothing');
  return (
    <main>
      <h1>Sales as they were</h1>
      <p>Clicked: {clicked}</p>
      {isHeadless ? (
        <Headless />
      ) : (
        <EmbeddedReport
          itemId={1042}
          title="Sales by region"
          onAction={(action) => setClicked(JSON.stringify(action))}
        />
      )}
    </main>
  );
};
