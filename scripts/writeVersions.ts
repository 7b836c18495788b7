/** Writes the version of the packages into the client, which names it in its requests, and into the starters of `examples`. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('src/portal-client/package.json', 'utf8'));
const userAgent = 'src/portal-client/lib/http/userAgent.ts';
writeFileSync(userAgent, readFileSync(userAgent, 'utf8').replace(/\d+\.\d+\.[^']+/, version));

for (const file of globSync('examples/*/package.json')) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/("(?:@vitrine\/[a-z-]+|vitrine)": )"\^[^"]+"/g, `$1"^${version}"`));
}
