import { EmbeddedReport } from '@vitrine/react';
import sheet from '@vitrine/react/styles.css?inline';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createBrowserPage } from '../support/browserPage.tsx';

beforeEach(() => {
  const style = document.createElement('style');
  style.textContent = sheet;
  document.head.append(style);
  return () => {
    style.remove();
    document.documentElement.removeAttribute('dir');
  };
});

/** The blocks that show, and the outline around them. */
const showSkeleton = async (height: number, width: number) => {
  const { container, answer, render } = createBrowserPage();
  const { style } = document.body;
  style.width = `${width}px`;
  onTestFinished(() => void style.removeProperty('width'));
  answer('hang');
  render(<EmbeddedReport itemId={1042} height={height} />);
  await expect.poll(() => container.querySelector('.vitrine-skeleton')).not.toBeNull();
  const outline = container.querySelector('.vitrine-loading')?.getBoundingClientRect();
  const blocks = [...container.querySelectorAll('.vitrine-skeleton i')]
    .map((block) => ({ box: block.getBoundingClientRect(), style: getComputedStyle(block) }))
    .filter(({ box }) => box.width > 0);
  return { outline: outline ?? expect.fail('There is no outline.'), blocks };
};

describe('the skeleton of a report', () => {
  it.each([
    [200, 900, 3],
    [400, 900, 5],
    [1200, 900, 5],
    [200, 375, 2],
    [1200, 375, 3],
  ])('fills %d px at a width of %d px with %d rounded blocks', async (height, width, count) => {
    const { outline, blocks } = await showSkeleton(height, width);
    expect(outline.height).toBe(height);
    expect(blocks).toHaveLength(count);
    for (const { box, style } of blocks) {
      expect([style.borderRadius, style.animationName]).toEqual(['10px', 'vitrine-pulse']);
      expect(box.height).toBeGreaterThan(70);
    }
    expect(Math.max(...blocks.map(({ box }) => box.bottom))).toBeCloseTo(outline.bottom - 24, 0);
  });

  it.each(['ltr', 'rtl'])('starts where text starts: %s', async (dir) => {
    document.documentElement.dir = dir;
    const { outline, blocks } = await showSkeleton(700, 900);
    const first = blocks[0]?.box;
    const gap = dir === 'ltr' ? (first?.left ?? 0) - outline.left : outline.right - (first?.right ?? 0);
    expect(gap).toBe(24);
  });
});
