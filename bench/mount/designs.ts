import { join } from 'node:path';
import { bundle } from '../lib/bundle.ts';

/** A way to show one report, on its own page. */
export interface MountDesign {
  readonly title: string;
  /** Its page, in `pages/`. */
  readonly page: string;
  /** Prefix of the frame's URL, after the tenant's origin. */
  readonly framePath: string;
  /** The HTML contains the key, in React Query's dehydrated state. */
  readonly isHydrated?: boolean;
}

export const mountDesigns: readonly MountDesign[] = [
  { title: 'hand-made fetch + iframe', page: 'handMade.jsx', framePath: '/report/' },
  { title: 'ours, plain', page: 'ours.jsx', framePath: '/report/' },
  { title: 'ours, key prefetched', page: 'oursPrefetched.jsx', framePath: '/report/' },
  { title: 'ours, key hydrated', page: 'oursHydrated.jsx', framePath: '/report/', isHydrated: true },
  { title: '@superset-ui/embedded-sdk', page: 'superset.js', framePath: '/embedded/' },
  { title: 'powerbi-client-react, bootstrap', page: 'powerbiBootstrap.jsx', framePath: '/reportEmbed' },
];

/**
 * powerbi-client rejects every URL that is not Power BI's own. Only that check is turned off, because nothing could be
 * measured otherwise; everything else is as published.
 */
const allowLocalAddress = {
  filter: /powerbi-client[\\/]dist[\\/]powerbi\.js$/,
  change: (text: string) => {
    const changed = text.replaceAll(/function validateEmbedUrl\(embedUrl\) \{/g, '$& return true;');
    if (changed === text)
      throw new Error('powerbi-client has changed: its check of addresses was not found.');
    return changed;
  },
};

/** The page's script, bundled for production with the root's React. */
export const bundlePage = async (page: string): Promise<string> => {
  const path = join(import.meta.dirname, 'pages', page);
  const { files } = await bundle({
    source: `import ${JSON.stringify(path)};`,
    format: 'iife',
    edit: allowLocalAddress,
  });
  const [script] = files;
  if (script === undefined || files.length !== 1) throw new Error(`${page} did not become one script.`);
  return script.text;
};
