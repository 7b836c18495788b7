const entries = require('../entries.json');

test.each(entries)('require finds %s', (name) => {
  expect(require.resolve(name)).toMatch(/\.cjs$/);
});

test.each(entries)('import loads %s', async (name) => {
  expect(Object.keys(await import(name))).not.toEqual([]);
});
