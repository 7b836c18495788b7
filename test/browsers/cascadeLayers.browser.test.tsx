import { EmbeddedReport } from '@vitrine/react';
import sheet from '@vitrine/react/styles.css?inline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBrowserPage } from '../support/browserPage.tsx';

/** As Tailwind CSS 4 writes it. */
const tailwind = `
@layer theme, base, components, utilities;
@layer base {
  *, ::before, ::after { border: 0 solid }
}
@layer utilities {
  .rounded-none { border-radius: 0 }
  .border-4 { border-width: 4px }
  .p-0 { padding: 0 }
  .absolute { position: absolute }
}`;

const addSheets = (...sheets: readonly string[]) => {
  for (const text of sheets) {
    const style = document.createElement('style');
    style.textContent = text;
    document.head.append(style);
    onTestFinished(() => style.remove());
  }
};

/** Shows an error slot that uses our classes and the host's utilities, and reads the computed styles. */
const showSlot = async () => {
  const { container, answer, render, untilState } = createBrowserPage();
  answer('signed_out');
  render(
    <EmbeddedReport
      itemId={1042}
      className="absolute rounded-none"
      renderError={({ retry }) => (
        <div className="vitrine-message p-0">
          <button type="button" className="rounded-none border-4 p-0" onClick={retry}>
            Retry
          </button>
        </div>
      )}
    />,
  );
  await untilState('failed');
  const read = (selector: string, property: string) => {
    const element = container.querySelector(selector);
    return element && getComputedStyle(element).getPropertyValue(property);
  };
  return [
    read('.vitrine-report', 'position'),
    read('.vitrine-report', 'border-top-left-radius'),
    read('.vitrine-message', 'padding-top'),
    read('button', 'padding-top'),
    read('button', 'border-top-width'),
    read('button', 'border-top-left-radius'),
    // Ours, where no utility overrides it.
    read('button', 'min-height'),
    // Ours, over the host's reset.
    read('.vitrine-report', 'border-top-width'),
  ];
};

const byUtilities = ['absolute', '0px', '0px', '0px', '4px', '0px', '40px', '1px'];

describe('host utility classes on the report and in its slots', () => {
  it.each([
    ['before', [tailwind, sheet]],
    ['after', [sheet, tailwind]],
  ])('override the style sheet, which overrides resets, when they load %s it', async (_, sheets) => {
    addSheets(...sheets);
    expect(await showSlot()).toEqual(byUtilities);
  });

  it('control: would be overridden if the sheet were in no layer', async () => {
    addSheets(tailwind, sheet.replace('@layer components {', '@media all {'));
    expect(await showSlot()).toEqual(['relative', '10px', '32px', '8px', '1px', '8px', '40px', '1px']);
  });
});
