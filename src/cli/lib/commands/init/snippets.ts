/** A report of the development portal's default seed. */
const report = '<EmbeddedReport itemId={1042} title="Sales by region" />';

/** The default viewer, until the app has its own sign-in: a developer on a local portal, and nobody elsewhere. */
export const access = `  // Replace this with your sign-in. Until then, it signs you in as "developer", but only with a portal on your
  // machine; with any other portal, nobody is signed in.
  viewer: () =>
    /\\.localhost(:|$)/.test(process.env.VITRINE_TENANT_URL ?? '')
      ? { userId: 'developer', roleNames: ['all-regions'] }
      : undefined,
  // Say which reports a viewer may open.
  canView: (_viewer, itemId) => itemId === 1042,`;

/** The imports of a page with a report. */
export const pageImports = `import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import '@vitrine/react/styles.css';
`;

/** A component with a report. `declaration` precedes its name; `basePath` is the base path of the app. */
export const pageComponent = (
  declaration: string,
  basePath = '',
): string => `${declaration} function ReportPage() {
  return (
    <EmbedProvider${basePath && ` endpoint="${basePath}/api/embed"`}>
      ${report}
    </EmbedProvider>
  );
}
`;

/** A page for a backend without React that requests a key and shows the report, to test the backend. */
export const plainPage = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>A report</title><link rel="icon" href="data:," /></head>
  <body>
    <iframe title="Sales by region" style="width: 100%; height: 90vh; border: 0"></iframe>
    <script type="module">
      const answer = await fetch('/api/embed/keys', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
        body: JSON.stringify({ itemId: 1042 }),
      });
      const { key, tenantUrl, detail } = await answer.json();
      const address = tenantUrl + '/report/1042?ev=' + encodeURIComponent(key);
      if (answer.ok) document.querySelector('iframe').src = address;
      else document.body.textContent = detail;
    </script>
  </body>
</html>
`;

/** Code that loads the variables of the script `vitrine:portal`, if no framework does. */
export const loadVariables = `// Your development portal writes this file.
if (existsSync('.env.local')) process.loadEnvFile('.env.local');
`;
