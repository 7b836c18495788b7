/** Lists the modules that a process loaded, one URL per line, when it ends: `node --import listModules.mjs`. */
import { registerHooks } from 'node:module';

const urls = [];
registerHooks({
  load: (url, context, next) => {
    urls.push(url);
    return next(url, context);
  },
});
process.on('exit', () => process.stderr.write(urls.join('\n')));
