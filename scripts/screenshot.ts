/** `npm run screenshot`: takes the README's pictures of the demo, and writes down which texts they show. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createDemo } from '../examples/demo/backend/createDemo.ts';
import { launchBrowser } from '../test/support/launchBrowser.ts';
import { takePicture } from './demoPicture.ts';

const folder = 'docs/pictures';
mkdirSync(folder, { recursive: true });
const [demo, browser] = await Promise.all([createDemo(), launchBrowser()]);
for (const colorScheme of ['light', 'dark'] as const) {
  const { picture, texts } = await takePicture(browser, demo.demoUrl, colorScheme);
  writeFileSync(`${folder}/two-viewers-${colorScheme}.png`, picture);
  writeFileSync(`${folder}/two-viewers.txt`, texts);
}
await Promise.all([browser.close(), demo.close()]);
process.stdout.write(`${folder} shows the demo as it is now.\n`);
