import { type AxeResults, type RunOptions, source } from 'axe-core';
import type { Frame, Page } from 'playwright';

/** The rules whose result differs in the dark. */
export const rulesOfColors = ['color-contrast', 'link-in-text-block'] as const;

/** Runs axe in a page, or in the page in a frame, but not in its frames: AxeBuilder, which does, takes three times as long. */
const runAxe = async (
  page: Page | Frame,
  choices: { readonly exclude: readonly string[]; readonly options: RunOptions },
): Promise<AxeResults> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  return page.evaluate(async ({ exclude, options }) => {
    // Charts and colors may still adapt to a new width or color scheme.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
    // The script has set it.
    const { axe } = globalThis as unknown as {
      axe: { run: (context: object, options: object) => Promise<AxeResults> };
    };
    return axe.run({ include: [['html']], exclude }, { ...options, iframes: false });
  }, choices);
};

/** The axe violations of a page, or of the page in a frame, as one line per rule. */
export const findViolations = async (
  page: Page | Frame,
  choices: { readonly rules?: readonly string[]; readonly exclude?: readonly string[] } = {},
): Promise<string[]> => {
  const { rules, exclude = [] } = choices;
  const options: RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: [...rules] }) };
  const { violations } = await runAxe(page, { exclude, options });
  return violations.map(({ id, nodes }) => {
    const places = nodes.map(({ html, target }) => `${target.join(' > ')} (${html})`);
    return `${id}: ${places.slice(0, 3).join(', ')}`;
  });
};

/** Role and name of each landmark of a page, or of the page in a frame. */
export const landmarksOf = async (page: Page | Frame): Promise<string[]> => {
  const { passes, violations } = await runAxe(page, {
    exclude: [],
    options: { runOnly: ['landmark-unique'] },
  });
  return [...passes, ...violations].flatMap(({ nodes }) =>
    nodes.map(({ any: [check] }) => JSON.stringify(check?.data)),
  );
};
