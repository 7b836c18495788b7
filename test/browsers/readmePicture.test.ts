import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openTwoViewers, persons, textsOf } from '../../scripts/demoPicture.ts';
import { createBuiltDemo } from '../support/createBuiltDemo.ts';
import { launchBrowser } from '../support/launchBrowser.ts';

it("the README's picture shows what the demo shows; npm run screenshot takes a new one", async () => {
  const [browser, demo] = await Promise.all([launchBrowser(), createBuiltDemo()]);
  const page = await browser.newPage({ viewport: { width: 1960, height: 1400 }, locale: 'en-US' });
  const texts = await textsOf(await openTwoViewers(page, demo.demoUrl));
  // Written with the picture, in one run.
  expect(texts).toBe(readFileSync('docs/pictures/two-viewers.txt', 'utf8'));
  const [, alt = ''] = /two-viewers-light\.png" alt="([^"]+)"/.exec(readFileSync('README.md', 'utf8')) ?? [];
  for (const person of persons) expect(alt).toContain(person);
  await Promise.all([browser.close(), demo.close()]);
});
