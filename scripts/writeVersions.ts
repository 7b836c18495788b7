/** Writes the version of the packages into the client, which names it in its requests, and into the starters of `examples`. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('src/portal-client/package.json', 'utf8'));
const rewrite = (pattern: string, what: RegExp, by: string): void => {
  for (const file of globSync(pattern)) {
    const text = readFileSync(file, 'utf8');
    const written = text.replace(what, by);
    if (written !== text) writeFileSync(file, written);
  }
};

rewrite('src/portal-client/lib/**/*.ts', /(?<='vitrine-portal-client\/)[^']+/, version);
rewrite('examples/*/package.json', /(?<="(?:@vitrine\/[a-z-]+|vitrine)": ")\^[^"]+/g, `^${version}`);
