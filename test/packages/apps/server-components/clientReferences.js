/**
 * Handles 'use client' like a server component bundler: the exports of such a file become references that cannot be
 * called.
 */
import { registerHooks } from 'node:module';
import { basename } from 'node:path';

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    const code = new TextDecoder().decode(loaded.source ?? new Uint8Array());
    if (!/^['"]use client['"]/.test(code)) return loaded;
    const names = [...code.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) =>
      list.split(',').map((name) => name.trim().split(' as ').at(-1)),
    );
    const references = names
      .filter((name) => name !== '')
      .map((name) => `export const ${name} = { reference: '${name} of ${basename(url)}' };`);
    return { ...loaded, source: references.join('\n') };
  },
});
