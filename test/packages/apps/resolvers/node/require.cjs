const entries = require('../entries.json');

for (const name of entries)
  if (Object.keys(require(name)).length === 0) throw new Error(`${name} exports nothing`);
process.stdout.write(`${entries.length} entries in ${process.version}\n`);
