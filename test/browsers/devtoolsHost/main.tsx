/** A report and the developer tools, on a clock that a test can move on. */
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { VitrineDevtools } from '@vitrine/react/devtools';
import { createFakeEmbed, type FakeEmbed } from '@vitrine/react/testing';
import { createRoot } from 'react-dom/client';

const page =
  '<!doctype html><html lang="en"><title>Sales</title><main aria-label="Report"><h1>Sales by region</h1></main></html>';
const fake = createFakeEmbed({ page: () => page });

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no root.');
createRoot(root).render(
  <EmbedProvider {...fake.provider}>
    <h1>Reports</h1>
    <EmbeddedReport itemId={1042} title="Sales by region" height={200} />
    <VitrineDevtools />
  </EmbedProvider>,
);

declare global {
  // A global variable is declared by `var`.
  var fake: FakeEmbed;
}
globalThis.fake = fake;
