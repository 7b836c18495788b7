import { readFileSync } from 'node:fs';

const entries = JSON.parse(readFileSync(new URL('../entries.json', import.meta.url), 'utf8'));
for (const name of entries)
  if (Object.keys(await import(name)).length === 0) throw new Error(`${name} exports nothing`);
process.stdout.write(`${entries.length} entries in ${process.version}\n`);
