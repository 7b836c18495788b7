test('require finds a package whose conditions have no target', () => {
  require.resolve('no-target');
});
