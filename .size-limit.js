const peers = ['react', 'react-dom', '@tanstack/react-query'];

/** The action stream is a chunk of its own, which only pages with `onAction` load. */
const actionStream = {
  name: 'action stream',
  // The same address wherever the project lies, so that its folder weighs nothing.
  resolveId: (id) => (/actionStream/.test(id) ? { id: 'actionStream', external: true } : undefined),
};
const withoutActionStream = (config) => ({ ...config, plugins: [config.plugins, actionStream] });

/** What an entry of its own shares with the main entry. */
const mainEntry = {
  name: 'main entry',
  resolveId: (id) => (id.startsWith('../') ? { id: 'mainEntry', external: true } : undefined),
};

const entry = (name, limit, more) => ({
  name,
  path: 'src/react/dist/index.js',
  ignore: peers,
  gzip: true,
  limit,
  ...more,
});

export default [
  entry('<EmbeddedReport> alone, first load, without its peers', '9.36 KiB', {
    import: '{ EmbeddedReport }',
    modifyRolldownConfig: withoutActionStream,
  }),
  entry('all of @vitrine/react, first load, without its peers', '10.01 KiB', {
    modifyRolldownConfig: withoutActionStream,
  }),
  entry('@vitrine/react/picker, beside <EmbeddedReport>', '1.22 KiB', {
    path: 'src/react/dist/picker/index.js',
    modifyRolldownConfig: (config) => ({ ...config, plugins: [config.plugins, mainEntry] }),
  }),
  entry('all of @vitrine/react, with the action stream', '13.49 KiB'),
];
