/** `npm run screenshot`: takes the README's picture of the demo. */
import { mkdirSync } from 'node:fs';
import { createDemo } from '../examples/demo/backend/createDemo.ts';
import { launchBrowser } from '../test/support/launchBrowser.ts';

const file = 'docs/demo.png';

const [demo, browser] = await Promise.all([createDemo(), launchBrowser()]);
const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' });
await page.goto(demo.demoUrl);
await page.getByRole('button', { name: 'Head of sales' }).click();
const report = page.frameLocator('iframe[title="Sales by region"]');
await report.locator('html[data-portal-state="ready"]').waitFor();
await report.getByRole('heading', { name: 'Sales by region' }).first().waitFor();
await page.locator('[data-state="ready"]').waitFor();
await page.waitForTimeout(1_000); // charts fade in

mkdirSync('docs', { recursive: true });
await page.screenshot({ path: file });
await Promise.all([browser.close(), demo.close()]);
process.stdout.write(`${file} shows the demo as it is now.\n`);
