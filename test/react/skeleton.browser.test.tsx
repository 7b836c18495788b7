import { EmbeddedReport } from '@vitrine/react';
import sheet from '@vitrine/react/styles.css?inline';
import { expect, it, onTestFinished } from 'vitest';
import { createBrowserPage } from '../support/browserPage.tsx';

it.each([
  ['left', 'ltr', '24px 24px'],
  ['right', 'rtl', 'calc(100% - 24px) 24px'],
])('starts the skeleton of a report at the %s when the text direction is %s', async (_, dir, heading) => {
  const style = document.createElement('style');
  style.textContent = sheet;
  document.head.append(style);
  document.documentElement.dir = dir;
  onTestFinished(() => {
    style.remove();
    document.documentElement.removeAttribute('dir');
  });
  const { container, answer, renderFake } = createBrowserPage();
  answer('hang');
  renderFake(<EmbeddedReport itemId={1042} />);
  const firstShape = () => {
    const outline = container.querySelector('.vitrine-skeleton');
    return outline && getComputedStyle(outline).backgroundPosition.split(', ')[0];
  };
  await expect.poll(firstShape).toBe(heading);
});
