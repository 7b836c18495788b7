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
