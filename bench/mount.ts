/**
 * Time until the browser requests the report, in a real Chromium, compared with other vendors' SDKs and with minimal
 * code by hand. Trials of all designs are interleaved, in a new order each round.
 */
import { chromium } from 'playwright';
import { chromiumFlags, findBrowser } from '../scripts/findBrowser.ts';
import { createBenchResults } from './lib/benchResults.ts';
import { packageVersion } from './lib/machine.ts';
import { readOptions } from './lib/options.ts';
import { prepare } from './lib/prepare.ts';

prepare();
const { measureMount } = await import('./mount/measureMount.ts');
const options = readOptions();
const executablePath = findBrowser();
const launch = { args: [...chromiumFlags], ...(executablePath && { executablePath }) };
const browser = await chromium.launch(launch);
const packages = ['@vitrine/react', 'react', '@tanstack/react-query', '@superset-ui/embedded-sdk'];
const results = createBenchResults('bench:mount', options, {
  chromium: browser.version(),
  ...Object.fromEntries(
    [...packages, 'powerbi-client-react', 'powerbi-client'].map((name) => [name, packageVersion(name)]),
  ),
});
await measureMount(browser, options, results);
await browser.close();
results.finish();
