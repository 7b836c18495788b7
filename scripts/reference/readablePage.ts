import { readFileSync } from 'node:fs';
import { slugOf } from '../../stories/manual/links.ts';

/** The anchor of each numbered section of the interface: `4.6` leads to `46-create-encrypted-key-embedding`. */
const anchors = new Map(
  [
    ...readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8').matchAll(
      /^#+ ((\d(?:\.\d)?)\.? .+)$/gm,
    ),
  ].map(([, heading = '', number = '']) => [number, slugOf(heading)] as const),
);

/**
 * Makes a page of TypeDoc readable: links to sections of the interface, names for destructured parameters, and one list
 * of re-exports. `up` is the path from the page to `docs`.
 */
export const readablePage = (text: string, up: string): string =>
  text
    .replaceAll('__namedParameters', 'options')
    .replace('## References\n', '## Described elsewhere\n\nThis entry exports these as well:\n')
    .replaceAll(/(<a id="[^"]+"><\/a>)\n\n### .*\n\nRe-exports (\[.*\))\n(?:\n\*\*\*\n\n)?/g, '- $1$2\n')
    .replaceAll(
      /docs\/interface\.md#(\d(?:\.\d)?)/g,
      (_cited, number: string) => `[interface ${number}](${up}interface.md#${anchors.get(number)})`,
    );
