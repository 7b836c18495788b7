import { globSync, readFileSync } from 'node:fs';
import { supportedNode } from '@vitrine/contract/require-node';
import { expect, it } from 'vitest';

it.each(globSync('src/*/package.json'))('%s names the supported Node releases', (file) => {
  const { name, engines } = JSON.parse(readFileSync(file, 'utf8'));
  // Packages for browsers require Node only to build a page.
  const isForBrowsers = ['@vitrine/contract', '@vitrine/react'].includes(name);
  expect(engines.node).toBe(isForBrowsers ? '>=22' : supportedNode);
});
