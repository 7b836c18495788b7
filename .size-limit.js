const peers = ['react', 'react-dom', '@tanstack/react-query'];

/** The action stream is a chunk of its own, which only pages with `onAction` load. */
const actionStream = {
  name: 'action stream',
  // The same address wherever the project lies, so that its folder weighs nothing.
  resolveId: (id) => (/actionStream/.test(id) ? { id: 'actionStream', external: true } : undefined),
};
const withoutActionStream = (config) => ({ ...config, plugins: [config.plugins, actionStream] });

const entry = (name, limit, more) => ({
  name,
  path: 'src/react/dist/index.js',
  ignore: peers,
  gzip: true,
  limit,
  ...more,
});

export default [
  entry('<EmbeddedReport> alone, first load, without its peers', '9.2 KiB', {
    import: '{ EmbeddedReport }',
    modifyRolldownConfig: withoutActionStream,
  }),
  entry('all of @vitrine/react, first load, without its peers', '10.01 KiB', {
    modifyRolldownConfig: withoutActionStream,
  }),
  entry('all of @vitrine/react, with the action stream', '13.84 KiB'),
];
