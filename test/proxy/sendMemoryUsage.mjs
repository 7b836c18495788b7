// Preloaded into a backend with --expose-gc: answers each message with the bytes in use after a full collection.
process.on('message', () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send(heapUsed + external);
});
