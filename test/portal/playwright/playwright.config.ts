import { defineConfig } from 'playwright/test';
import { chromiumFlags, findBrowser, findHeadlessShell } from '../../../scripts/findBrowser.ts';

const executablePath = findHeadlessShell() ?? findBrowser();

export default defineConfig({
  testDir: '.',
  workers: 1,
  reporter: 'line',
  outputDir: '../../../node_modules/.cache/playwright',
  use: { launchOptions: { args: [...chromiumFlags], ...(executablePath && { executablePath }) } },
});
