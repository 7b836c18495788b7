import { transformAsync } from '@babel/core';
import type { PluginOption } from 'vite';

/**
 * Runs the React Compiler in Vite, as in a host that builds with it. Our own package must compile completely: every
 * message of the compiler is an error.
 */
export const reactCompiler = (): PluginOption => ({
  name: 'vitrine:react-compiler',
  enforce: 'pre',
  transform: async (code, id) => {
    const [file = ''] = id.split('?');
    if (!/\.tsx?$/.test(file) || file.includes('/node_modules/')) return undefined;
    const isOurs = file.includes('/src/react/lib/');
    const result = await transformAsync(code, {
      filename: file,
      babelrc: false,
      configFile: false,
      sourceMaps: true,
      parserOpts: { plugins: file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
      plugins: [['babel-plugin-react-compiler', { panicThreshold: isOurs ? 'all_errors' : 'none' }]],
    });
    return result?.code ? { code: result.code, map: JSON.stringify(result.map) } : undefined;
  },
});
