import { readFileSync } from 'node:fs';
import type { Browser, FrameLocator, Page } from 'playwright';

/** The two persons of the demo whose views the README shows side by side. */
export const persons = ['Head of sales', 'Regional manager, North'] as const;
const title = 'Sales by region';

/** A font that the workspace has anyway, so that the picture is the same on every machine. */
const fontFace = (file: string, weight: string): string => {
  const data = readFileSync(`node_modules/storybook/assets/browser/${file}.woff2`, 'base64');
  return `@font-face { font-family: picture; font-weight: ${weight}; src: url(data:font/woff2;base64,${data}) }`;
};
const fontStyles = (): string =>
  [
    fontFace('nunito-sans-regular', '400'),
    fontFace('nunito-sans-bold', '500 900'),
    '* { font-family: picture !important }',
  ].join('\n');

/** Opens the demo with both persons side by side. */
export const openTwoViewers = async (page: Page, demoUrl: string): Promise<readonly FrameLocator[]> => {
  const [first, second] = persons;
  await page.goto(demoUrl);
  await page.getByRole('button', { name: first }).click();
  await page.getByLabel('Compare with').selectOption(second);
  const frames = [title, `${title}, as ${second}`].map((name) =>
    page.frameLocator(`iframe[title="${name}"]`),
  );
  for (const frame of frames) await frame.getByRole('listbox', { name: /^Revenue by region/ }).waitFor();
  return frames;
};

/** The texts that the picture shows, without figures, which change with the date. */
export const textsOf = async (frames: readonly FrameLocator[]): Promise<string> => {
  const texts = await Promise.all(
    frames.map(async (frame) => [
      ...(await frame.getByRole('heading').allTextContents()),
      ...(await frame.getByText(/^Shown to/).allTextContents()),
    ]),
  );
  return `${[...persons, ...texts.flat()].map((text) => text.trim()).join('\n')}\n`;
};

const escape = (text: string): string => text.replaceAll('<', '&lt;');
const code = '<EmbeddedReport itemId={1042} title="Sales by region" />';

/** One picture: a line of code, and the report that each person sees because of it. */
export const takePicture = async (browser: Browser, demoUrl: string, colorScheme: 'light' | 'dark') => {
  const context = await browser.newContext({
    viewport: { width: 1960, height: 1400 },
    colorScheme,
    bypassCSP: true,
    locale: 'en-US',
  });
  await context.addInitScript((styles) => {
    document.addEventListener('DOMContentLoaded', () => {
      document.head.append(Object.assign(document.createElement('style'), { textContent: styles }));
    });
  }, fontStyles());
  const page = await context.newPage();
  const frames = await openTwoViewers(page, demoUrl);
  await page.waitForTimeout(1_500); // charts fade in
  const texts = await textsOf(frames);
  const shots = await Promise.all(
    persons.map((name) => page.getByRole('region', { name }).locator('iframe').screenshot()),
  );
  const sheet = await context.newPage();
  await sheet.setViewportSize({ width: 1180, height: 640 });
  await sheet.setContent(`<!doctype html><meta name="color-scheme" content="${colorScheme}"><style>
    ${fontStyles()}
    body { margin: 0; padding: 20px; background: light-dark(#fff, #0d1117); color: light-dark(#16191f, #e9ecf1) }
    pre { margin: 0 0 18px; font-size: 21px; text-align: center; color: light-dark(#3451d1, #94a8ff) }
    main { display: grid; grid-template-columns: 1fr 1fr; gap: 20px }
    h2 { margin: 0 0 8px; font-size: 18px }
    div { height: 520px; overflow: hidden; border: 2px solid light-dark(#3451d1, #94a8ff); border-radius: 12px }
    img { display: block; width: 100% }
  </style><pre>${escape(code)}</pre><main>${persons
    .map(
      (name, index) =>
        `<section><h2>${name}</h2><div><img src="data:image/png;base64,${shots[index]?.toString('base64')}"></div></section>`,
    )
    .join('')}</main>`);
  await sheet.waitForTimeout(300); // the font
  const picture = await sheet.screenshot();
  await context.close();
  return { picture, texts };
};
