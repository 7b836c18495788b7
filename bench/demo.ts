/**
 * `npm run bench:demo`: waiting times of a user. From `npm start` to its first output and to "Ready"; then, in a real
 * browser, from navigation to the host app, to the report's first paint and to its numbers.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser } from '../test/support/launchBrowser.ts';

const rounds = 5;
const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-demo-'));
const devFile = join(folder, 'dev.json');

const start = async () => {
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    detached: true,
    env: { ...process.env, VITRINE_DEV_FILE: devFile },
  });
  let firstOutputMs = 0;
  const readyMs = await new Promise<number>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += String(chunk);
      if (firstOutputMs === 0 && said.includes('Vitrine demo')) firstOutputMs = performance.now() - began;
      if (said.includes('Press Ctrl-C to stop everything')) resolve(performance.now() - began);
    });
    child.once('exit', () => reject(new Error(`npm start ended:\n${said}`)));
  });
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await ended;
  };
  return { firstOutputMs, readyMs, stop };
};

const openReport = async (demoUrl: string) => {
  const browser = await launchBrowser({ isWhole: true });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(demoUrl);
  await page.getByRole('button', { name: 'Head of sales' }).click();
  await page.locator('[data-state="ready"]').waitFor();
  // The second visit of a signed-in user; the clock starts at navigation.
  const began = Date.now();
  await page.goto(demoUrl, { waitUntil: 'commit' });
  const frame = page.frameLocator('iframe');
  await frame.locator('body').waitFor();
  const paintedAt = await frame.locator('body').evaluate(
    () =>
      new Promise<number>((resolve) => {
        const resolveAt = (time: number) => resolve(performance.timeOrigin + time);
        new PerformanceObserver((list, observer) => {
          const paint = list.getEntriesByName('first-contentful-paint')[0];
          if (paint === undefined) return;
          observer.disconnect();
          resolveAt(paint.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
  await frame.getByRole('heading', { name: 'Revenue by region' }).waitFor();
  const numbersAt = Date.now();
  await browser.close();
  return { paintMs: paintedAt - began, numbersMs: numbersAt - began };
};

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const row = (what: string, values: readonly number[]) =>
  process.stdout.write(
    `${what.padEnd(52)} ${Math.round(median(values))} ms   (${values.map((value) => Math.round(value)).join(', ')})\n`,
  );

const samples: { firstOutputMs: number; readyMs: number; paintMs: number; numbersMs: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  const { firstOutputMs, readyMs, stop } = await start();
  const { demoUrl } = JSON.parse(readFileSync(devFile, 'utf8'));
  samples.push({ firstOutputMs, readyMs, ...(await openReport(demoUrl)) });
  await stop();
}
rmSync(folder, { recursive: true, force: true });
row(
  'npm start: first output',
  samples.map((sample) => sample.firstOutputMs),
);
row(
  'npm start to "Ready"',
  samples.map((sample) => sample.readyMs),
);
row(
  'navigation to the first paint inside the report',
  samples.map((sample) => sample.paintMs),
);
row(
  'navigation to the report with its numbers',
  samples.map((sample) => sample.numbersMs),
);
