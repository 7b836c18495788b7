/** The report that the development portal has from the start. */
const report = '<EmbeddedReport itemId={1042} title="Sales by region" />';

/** Who views reports until the app says so itself: one developer at a portal on this machine, and nobody elsewhere. */
export const access = `  // Replace this with your sign-in. Until then, only a portal on this machine has a viewer.
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

/** A component with a report. `declaration` is what stands before its name; the app is served below `basePath`. */
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

/** A page of a backend that has no React: it asks for a key and shows the report, to see that the backend works. */
export const plainPage = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>A report</title></head>
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

/** Reads the variables that the script `vitrine:portal` writes, where no framework does. */
export const loadVariables = `// Your development portal writes this file.
if (existsSync('.env.local')) process.loadEnvFile('.env.local');
`;
